// Bundles: archives with scripts, the kit's sources and the course's settings. An instructor
// uploads one to another system, which then grades with this kit. docs/formats.md describes their
// use; the scripts are in files/, one folder per system.
//
//   settings + files/<SYSTEM>/ + kit_sources + lab_files -> zip
//
// Every script always writes results. If grading itself fails, they have no score.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "grader/bundle/zip.h"
#include "reference/result.h"

namespace histolab::bundle {

// "gradescope", "prairielearn", "classroom50", "exercism"
[[nodiscard]] const std::vector<std::string>& systems();

struct Settings {
  std::string labs_folder;            // the folder of the labs
  std::vector<std::string> all_labs;  // names of all labs in it
  std::vector<std::string> labs;      // names of the graded labs; empty means all
  std::optional<std::uint64_t> seed;
  std::optional<std::string> rubric;  // text of the rubric file
};

// Returns an Error if the system is unknown (the message lists the known ones), or if the source
// tree or a lab is missing.
[[nodiscard]] Result<std::vector<File>> files_of(const std::string& system,
                                                 const Settings& settings, const std::string& tree);

}  // namespace histolab::bundle

// Bundles: what an instructor uploads so that another system grades with this kit: scripts, the
// kit's sources, and the course's settings. docs/formats.md says how each is used; the scripts are
// in files/, one folder a system.
//
//   settings + files/<SYSTEM>/ + kit_sources + lab_files -> zip
//
// Every script writes results whatever happens; when something fails that is not the student's,
// results without a score.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "grader/bundle/zip.h"
#include "reference/result.h"

namespace histolab::bundle {

[[nodiscard]] const std::vector<std::string>&
systems();  // "gradescope", "prairielearn", "classroom50", "exercism"

struct Settings {
  std::string labs_folder;            // the folder of the labs
  std::vector<std::string> all_labs;  // names of all labs in it
  std::vector<std::string> labs;      // names of those that count; empty: all
  std::optional<std::uint64_t> seed;
  std::optional<std::string> rubric;  // its text
};

// Error: there is no such system (the message names them), or the source tree or a lab is missing.
[[nodiscard]] Result<std::vector<File>> files_of(const std::string& system,
                                                 const Settings& settings, const std::string& tree);

}  // namespace histolab::bundle

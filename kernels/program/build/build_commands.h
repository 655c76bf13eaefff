// Command lines for a program's build, one process each. Output goes into `folder`.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "kernels/program/build/build.h"
#include "kernels/program/syntax/pass_text.h"
#include "kernels/worker/processes/process.h"

namespace histolab::kernels::program {

// Output of preprocessing, input and output of compile_pass(), content of the device section.
inline constexpr const char *preprocessed_name = "unit.ii", *text_name = "pass.ii",
                            *object_name = "unit.o", *record_name = "unit.device",
                            *dependencies_name = "unit.d", *executable_name = "program";

// Settings that all commands of a build share.
struct BuildSettings {
  EmulatorPaths paths;
  std::vector<std::string> words =
      {};  // options of g++ for include folders, macros and the standard
  std::vector<std::string> options = {};  // for host code and the link
  std::vector<std::string> link_words = {}, library_dirs = {};
  std::vector<std::string> readable = {};  // absolute paths of folders
  // (absolute folder, its name in the build); both end in / or are empty. A longer one comes later.
  std::vector<std::pair<std::string, std::string>> shown = {};
  // For the host's compilation or preprocessing: lists the read files in `dependencies_name`.
  std::vector<std::string> dependencies = {};
  bool debugged = false;  // as in Build
};

// Runs -E on a CUDA source.
[[nodiscard]] worker::ProcessSpec preprocess_pass(const BuildSettings& settings, Pass pass,
                                                  const std::string& source,
                                                  const std::string& folder);

// Compiles a pass's text, which is in the folder.
[[nodiscard]] worker::ProcessSpec compile_pass(const BuildSettings& settings, Pass pass,
                                               const std::string& folder);

// Compiles a C or C++ source for the host only, or with the step -E only preprocesses it.
[[nodiscard]] worker::ProcessSpec compile_host_source(const BuildSettings& settings, bool is_c,
                                                      const char* step, const std::string& source,
                                                      const std::string& folder);

// Adds the record to the object as its device section; both are in the folder.
[[nodiscard]] worker::ProcessSpec embed_record(const BuildSettings& settings,
                                               const std::string& folder);

// Takes the device section out of the executable in the folder, links the device objects there, and
// replaces the section by the record.
[[nodiscard]] worker::ProcessSpec take_section(const BuildSettings& settings,
                                               const std::string& folder);
[[nodiscard]] worker::ProcessSpec link_device_objects(const BuildSettings& settings,
                                                      const std::vector<std::string>& objects,
                                                      const std::string& folder);
[[nodiscard]] worker::ProcessSpec replace_section(const BuildSettings& settings,
                                                  const std::string& folder);

// Links objects and archives, given by absolute paths, and libraries (-lm).
[[nodiscard]] worker::ProcessSpec link_program(const BuildSettings& settings,
                                               const std::vector<std::string>& inputs,
                                               const std::string& runtime_library,
                                               const std::string& folder);

}  // namespace histolab::kernels::program

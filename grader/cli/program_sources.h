// The sources of a whole CUDA program, for messages that quote them.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "kernels/program/build/build.h"
#include "kernels/program/build/source_files.h"
#include "kernels/worker/compiling/compiler_words.h"

namespace histolab::cli {

// Reads each source once, when a message first quotes it. A source can name any file in a #line:
// only those that its compiler may read are quoted.
class Sources {
 public:
  // Allows the files that this build may read.
  void allow(const kernels::program::Build& build);
  // The lines around a position; empty if the file cannot be read.
  [[nodiscard]] std::string excerpt(const std::string& file, int line, int column = 0);
  [[nodiscard]] const std::string& text(const std::string& file);

 private:
  kernels::program::SourceFiles files_;
};

// The sources, and the files next to them that they include in quotes, and so on. At most 200.
[[nodiscard]] std::set<std::string> watched_files(const std::vector<std::string>& sources);

// Prints what the compilers said about a program.
void note_diagnostics(const std::vector<kernels::worker::FileDiagnostic>& diagnostics,
                      Sources& sources);

}  // namespace histolab::cli

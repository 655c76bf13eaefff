// The sources of a whole CUDA program, for messages that quote them.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "kernels/worker/compiling/compiler_words.h"

namespace histolab::cli {

// Reads each source once, when a message first quotes it.
class Sources {
 public:
  // The lines around a position; empty if the file cannot be read.
  [[nodiscard]] std::string excerpt(const std::string& file, int line, int column = 0);
  [[nodiscard]] const std::string& text(const std::string& file);

 private:
  std::map<std::string, std::string> texts_;
};

// Prints what the compilers said about a program.
void note_diagnostics(const std::vector<kernels::worker::FileDiagnostic>& diagnostics,
                      Sources& sources);

}  // namespace histolab::cli

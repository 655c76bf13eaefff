// Context: the settings and paths that every command works with.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "grader/files/paths.h"

namespace histolab::kernels::worker {
class Debugger;
}

namespace histolab::cli {

inline constexpr const char* work_folder = "work";

struct Context {
  grader::Paths paths;
  std::string labs_named;  // --labs as given, already applied to `paths`; empty for the kit's labs
  std::function<int()> run;  // the given command
  // Parts of the build that the command needs next to the program; set by parsing. Empty, or "gpu"
  // (a CUDA toolkit, if there is a GPU), "gpu_tools" (also bench and calibrate), "viewer" or
  // "viewer gpu". The wrapper asks for it with `histolab --needs COMMAND...` and fetches and builds
  // these parts before it runs the command.
  std::string needs;
  // Debugs the emulator's launches. Only `debug` sets it.
  kernels::worker::Debugger* debugger = nullptr;
  // The words after `view`. --help and --version among them are the viewer's too.
  std::vector<std::string> viewer_words;
  // The words after `--` of commands that run a program: its arguments.
  // All words after `nvcc`.
  std::vector<std::string> program_words;
};

// The start of a command line that runs this program with the same labs: "histolab --labs DIR".
[[nodiscard]] std::string program_words(const Context& context);
// Quotes a word for a shell, if necessary.
[[nodiscard]] std::string quoted(const std::string& word);

}  // namespace histolab::cli

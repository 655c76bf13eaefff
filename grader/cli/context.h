// Context: what a command of this program works with.
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
  std::string labs_named;  // --labs as it was given, which is in `paths` then; empty: the kit's own
  std::function<int()> run;  // of the command that was given
  // Parts of the build that the command needs next to the program; set by parsing. Empty, or "gpu"
  // (a CUDA toolkit, if there is a GPU), "gpu_tools" (also bench and calibrate), "viewer" or
  // "viewer gpu". The wrapper asks for it with `histolab --needs COMMAND...` and fetches and builds
  // these parts before it runs the command.
  std::string needs;
  kernels::worker::Debugger* debugger =
      nullptr;  // of the emulator's launches; only `debug` has one
  std::vector<std::string>
      viewer_words;  // what comes after `view`; --help and --version, too, are the viewer's there
};

// How to type this program again with the same labs: "histolab --labs DIR".
[[nodiscard]] std::string program_words(const Context& context);
// A word as a person types it in a shell.
[[nodiscard]] std::string quoted(const std::string& word);

}  // namespace histolab::cli

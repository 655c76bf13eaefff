// Completion: scripts that let a shell complete histolab's command line.
//
// Each script knows commands, options, the values of options, labs and datasets. Completing file
// names is left to the shell.
#pragma once

#include <string>

#include "grader/cli/command_tree.h"

namespace histolab::cli {

[[nodiscard]] std::string bash_completion(const CommandTree& tree);
[[nodiscard]] std::string zsh_completion(const CommandTree& tree);
[[nodiscard]] std::string fish_completion(const CommandTree& tree);

}  // namespace histolab::cli

// Completion: what a shell needs to finish words of the command line, as a script that it reads.
//
// Each script knows commands, options, the words that an option takes, labs and datasets;
// everything else that may be a file is left to the shell.
#pragma once

#include <string>

#include "grader/cli/command_tree.h"

namespace histolab::cli {

[[nodiscard]] std::string bash_completion(const CommandTree& tree);
[[nodiscard]] std::string zsh_completion(const CommandTree& tree);
[[nodiscard]] std::string fish_completion(const CommandTree& tree);

}  // namespace histolab::cli

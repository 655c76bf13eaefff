// The manual page, histolab(1), made from the commands' own help.
#pragma once

#include <string>

#include "grader/cli/command_tree.h"

namespace histolab::cli {

// In roff, with the macros of man(7). The same program produces the same bytes.
[[nodiscard]] std::string manual_page(const CommandTree& tree);

}  // namespace histolab::cli

// Output and exit codes of commands. Results go to the standard output, everything else to the
// standard error.
#pragma once

#include <cstddef>
#include <string>

#include "reference/result.h"

namespace histolab::cli {

enum Exit : int {
  done = 0,        // done, and passed
  not_passed = 1,  // done, and something did not pass
  cannot = 2,      // wrong usage, or the environment prevented it
};

// Prints "histolab: MESSAGE" to the standard error, wrapped to the width of a terminal. Returns the
// matching exit code.
int complain(const Error& error);
// Prints to the standard error.
void note(const std::string& text);
// Prints to the standard output. Returns the exit code: a full disk is an error.
[[nodiscard]] int print(const std::string& text);
// True for a terminal, unless NO_COLOR is set.
[[nodiscard]] bool color_wanted();
// The terminal's width, at least `least`; 80 without a terminal.
[[nodiscard]] std::size_t columns_to_use(std::size_t least = 80);

}  // namespace histolab::cli

// How a command ends, and how it speaks: results go to the standard output, everything else to the
// standard error.
#pragma once

#include <cstddef>
#include <string>

#include "reference/result.h"

namespace histolab::cli {

enum Exit : int {
  done = 0,        // done, and passed
  not_passed = 1,  // done, and something did not pass
  cannot = 2,      // wrong usage, or the environment kept it from running
};

// "histolab: MESSAGE" to the standard error, on a terminal in lines of its width; the exit code for
// it.
int complain(const Error& error);
void note(const std::string& text);  // to the standard error
[[nodiscard]] int print(
    const std::string& text);  // to the standard output; the exit code: a full disk is an error
[[nodiscard]] bool color_wanted();  // a terminal, and no NO_COLOR
[[nodiscard]] std::size_t columns_to_use(
    std::size_t least = 80);  // of the terminal; 80 where there is none

}  // namespace histolab::cli

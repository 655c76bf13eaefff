// Marks that the worker inserts before the emulator's g++ compiles a kernel: in front of shifts
// and of compound assignments. In a chain, `a = b = 0` becomes `a = (b = 0, 0)`.
//
// With them g++ reads each operand once, no variable that it has just set, and shifts as a GPU does
// (kernels/emulator/include/histolab/operators.h). They follow from tokens alone, without types,
// so they may make a correct source incorrect; compile the original text then.
#pragma once

#include <string>

namespace histolab::kernels::worker {

// Keeps the lines, but not the columns. Returns the text unchanged if no operator needs a mark, or
// if the source could notice one.
[[nodiscard]] std::string with_device_operators(const std::string& text);

}  // namespace histolab::kernels::worker

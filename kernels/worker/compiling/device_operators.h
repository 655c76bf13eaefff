// Marks that the worker inserts into a kernel's text: in front of shifts and compound assignments.
// In a chain, `a = b = 0` becomes `a = (b = 0, 0)`. With them g++ reads each operand once, does not
// read back a variable that it has just set, and shifts as a GPU does. See docs/emulator.md,
// "Operators".
#pragma once

#include <string>

namespace histolab::kernels::worker {

// Keeps the lines, but not the columns. Returns the text unchanged if no operator needs a mark, or
// if the source could notice one. Uses tokens only, without types, so the result may not compile;
// compile the original text then.
[[nodiscard]] std::string with_device_operators(const std::string& text);

}  // namespace histolab::kernels::worker

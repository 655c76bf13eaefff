// How a statement uses the result of a call, by the text of its line.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace histolab::kernels::program {

// Returns false if the call begins a statement, true if it follows something that may use its
// result, and nullopt if the text does not say: a macro may contain the call, or the statement
// begins on an earlier line. `previous` is the line above.
[[nodiscard]] std::optional<bool> uses_result(std::string_view previous, std::string_view line,
                                              std::string_view function);

// Returns the variable whose address is the first argument of the line's only call of `function`:
// "d_a" for "cudaMalloc((void**)&d_a, n)". Empty if no variable gets it.
[[nodiscard]] std::string result_variable(std::string_view line, std::string_view function);

}  // namespace histolab::kernels::program

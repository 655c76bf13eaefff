// Whether a statement uses the result of a call, by the text of its line.
#pragma once

#include <optional>
#include <string_view>

namespace histolab::kernels::program {

// Returns false if the line begins with the call itself, true if the call follows something that
// may use its result, and nullopt if the line does not have the call: a macro may contain it.
[[nodiscard]] std::optional<bool> uses_result(std::string_view line, std::string_view function);

}  // namespace histolab::kernels::program

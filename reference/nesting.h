// Limits the nesting depth of untrusted JSON text. Check it before parsing.
//
// A parsed value is copied, compared, traversed and written with one call per level. So a mebibyte
// of `[` would overflow the stack. Files of this kit have about a dozen levels.
#pragma once

#include <cstddef>
#include <string_view>

namespace histolab {

inline constexpr std::size_t deepest_nesting = 100;

// Returns true if brackets nest deeper than deepest_nesting. Brackets within strings do not count.
// The result has no meaning for text that is not JSON.
[[nodiscard]] bool nests_too_deep(std::string_view json);

}  // namespace histolab

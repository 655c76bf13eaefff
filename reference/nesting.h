// Nesting: how deep the brackets of a JSON text go, which is asked before a stranger's text is parsed.
//
// A parsed value is copied, compared, walked and written by a call for each level, so a mebibyte of `[` would be as many calls, and the
// end of the stack. What the kit itself writes has a dozen levels.
#pragma once

#include <cstddef>
#include <string_view>

namespace histolab {

inline constexpr std::size_t deepest_nesting = 100;

// Brackets within strings do not count. Of a text that is no JSON it says nothing.
[[nodiscard]] bool nests_too_deep(std::string_view json);

}  // namespace histolab

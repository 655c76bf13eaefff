// When two sources may share one result: when they are the same text but for comments, every token where it was.
//
// Messages of a compiler and of the emulator carry lines and columns, so a comment is blanked in place, a blank for each character,
// and blanks at the ends of lines go. Whoever moved a line has a source of their own, and a result of their own. What the text
// says is asked twice: the blanked text and the tokens that the source rules see (kernels/code_tokens.h) must both agree. So the text is blanked
// here in a way of its own: what one of the two took for a comment by mistake, the other one would have to, as well.
#pragma once

#include <string>

namespace histolab::batch {

[[nodiscard]] std::string without_comments(const std::string& source);
// The same for sources that may share a result, and for no others.
[[nodiscard]] std::string sharing_key(const std::string& source);

}  // namespace histolab::batch

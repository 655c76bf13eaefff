// When two sources may share one result: when they are the same text but for comments, every token
// where it was.
//
// Messages of a compiler and of the emulator carry lines and columns. So a comment is blanked in
// place, a blank for each character, and blanks at the ends of lines go. A source with a moved line
// has a result of its own. Two lexers read the source: the one here and that of the source rules
// (kernels/code_tokens.h).
//
// A source shares its result only with the same bytes if g++ may read it in another way than the
// two lexers do:
// - The lexers disagree on the comments.
// - A comment, a string or a character has no end.
// - It has a lone carriage return or another control character.
// - A comment with a character beyond ASCII has code behind it: g++'s columns depend on its width.
#pragma once

#include <string>

namespace histolab::batch {

[[nodiscard]] std::string without_comments(const std::string& source);
// The same for sources that may share a result, and for no others.
[[nodiscard]] std::string sharing_key(const std::string& source);

}  // namespace histolab::batch

// Decides whether two sources may share one result: they must be equal except for comments, with
// each token at the same line and column.
//
// Messages have lines and columns, so comments are replaced by as many blanks, and blanks at the
// ends of lines are removed. Two lexers read the source: the one here and that of the source rules
// (kernels/code_tokens.h). Only equal bytes share a result if g++ might read the source
// differently:
// - The lexers disagree on the comments.
// - A comment, a string or a character literal is unterminated.
// - The source has a lone carriage return or another control character.
// - Code follows a comment with a non-ASCII character: g++'s columns depend on its width.
#pragma once

#include <string>

namespace histolab::batch {

[[nodiscard]] std::string without_comments(const std::string& source);
// Returns equal keys exactly for sources that may share a result.
[[nodiscard]] std::string sharing_key(const std::string& source);

}  // namespace histolab::batch

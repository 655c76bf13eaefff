// Splits a C++ or CUDA source into tokens like a preprocessor: spliced lines are joined, macros are
// not expanded. For any bytes, only blanks and splices are between tokens and comments (and a UTF-8
// byte order mark before the first). kernels/worker relies on that: nothing in an untrusted source
// is hidden. Code that shows or changes a source relies on the tokens' positions.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace histolab::kernels {

struct CodeToken {
  // `text` is a string or character literal. `header` is the name in an #include. `mark` is an
  // operator or punctuator.
  enum class Kind { name, number, text, header, mark, comment };
  Kind kind = Kind::mark;
  // The token's characters. For text and header, without the quotes; for a comment, empty. `%:`
  // becomes `#`. Ends in " (impossible in a real token) if compilers could read the following text
  // in two ways.
  std::string spelling;
  int line = 1;            // line of the first byte, 1-based
  bool directive = false;  // in a line that begins with #
  bool begins_line = false;
  // Byte range in the source. For text, with the quotes and the prefix in front of them.
  std::size_t begin = 0, end = 0;

  [[nodiscard]] bool is(std::string_view word) const {
    return (kind == Kind::name || kind == Kind::mark) && spelling == word;
  }
};

[[nodiscard]] std::vector<CodeToken> code_tokens(std::string_view source);  // without comments
[[nodiscard]] std::vector<CodeToken> code_and_comments(std::string_view source);

// The source with a blank for each comment. Blanks that end a line with a comment are removed, and
// so is a line that then is empty.
[[nodiscard]] std::string without_comments(std::string_view source);

}  // namespace histolab::kernels

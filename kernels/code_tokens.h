// The tokens of a source in C++ or CUDA, as a compiler's preprocessor takes it apart: spliced lines joined, macros not expanded.
//
// For any bytes: tokens and comments follow each other, with only blanks and splices between them
// (and a mark of UTF-8 before the first). Code that judges an untrusted source relies on it that
// nothing is hidden (kernels/worker); code that shows or changes a source relies on the positions
// of the tokens.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace histolab::kernels {

struct CodeToken {
  enum class Kind { name, number, text, header, mark, comment };  // text: a string or character; header: what an #include names
  Kind kind = Kind::mark;
  std::string spelling;    // of a text and a header: what is between the quotes; of a comment nothing; `%:` is told as `#`; ends in " where what follows could be read in two ways
  int line = 1;            // where it begins
  bool directive = false;  // in a line that begins with #
  bool begins_line = false;
  std::size_t begin = 0, end = 0;  // its bytes in the source; a text's with its quotes and what stands in front of them

  [[nodiscard]] bool is(std::string_view word) const { return (kind == Kind::name || kind == Kind::mark) && spelling == word; }
};

[[nodiscard]] std::vector<CodeToken> code_tokens(std::string_view source);  // without comments
[[nodiscard]] std::vector<CodeToken> code_and_comments(std::string_view source);

}  // namespace histolab::kernels

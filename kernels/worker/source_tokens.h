// The preprocessing tokens of a source, as the compiler sees them: spliced lines joined, comments gone, macros not expanded.
//
// SourceText looks at a source as a person does; here it counts that nothing can hide from it.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace histolab::kernels::worker {

struct Token {
  enum class Kind { name, number, text, header, mark };  // text: a string or character; header: what an #include names
  Kind kind = Kind::mark;
  std::string spelling;    // of a text and a header: what is between the quotes; `%:` is told as `#`
  int line = 1;            // where it begins
  bool directive = false;  // in a line that begins with #
  bool begins_line = false;

  [[nodiscard]] bool is(std::string_view word) const { return (kind == Kind::name || kind == Kind::mark) && spelling == word; }
};

[[nodiscard]] std::vector<Token> tokens_of(std::string_view source);

// Does inline assembly begin at this token, other than an empty one, which only keeps the compiler from moving code?
[[nodiscard]] bool is_assembly(const std::vector<Token>& tokens, std::size_t at);

}  // namespace histolab::kernels::worker

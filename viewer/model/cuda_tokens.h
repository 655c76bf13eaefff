// CudaTokens: which parts of a line of CUDA C++ are drawn in which colour. No parser: what is
// unusual is plain.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace histolab::viewer {

enum class TokenKind : std::uint8_t { keyword, built_in, number, text, comment, directive };

// The bytes [begin, end) of a line; what lies between two tokens is plain.
struct Token {
  TokenKind kind;
  std::uint32_t begin = 0, end = 0;
  bool operator==(const Token&) const = default;
};

// From left to right. `in_comment`: whether the line begins inside of a comment, and on return
// whether the next one does.
[[nodiscard]] std::vector<Token> tokens_of(std::string_view line, bool& in_comment);

}  // namespace histolab::viewer

// CudaTokens: splits a line of CUDA C++ into tokens for syntax colouring. It is not a parser:
// unusual code stays plain.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace histolab::viewer {

enum class TokenKind : std::uint8_t { keyword, built_in, number, text, comment, directive };

// The bytes [begin, end) of a line. Text between two tokens is plain.
struct Token {
  TokenKind kind;
  std::uint32_t begin = 0, end = 0;
  bool operator==(const Token&) const = default;
};

// Returns the tokens from left to right. `in_comment`: whether the line begins inside a comment; on
// return, whether the next line does.
[[nodiscard]] std::vector<Token> tokens_of(std::string_view line, bool& in_comment);

}  // namespace histolab::viewer

#include "viewer/model/cuda_tokens.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>

#include "kernels/code_tokens.h"

namespace histolab::viewer {
namespace {

constexpr std::array<std::string_view, 43> keywords{
    "alignas",   "auto",     "bool",  "break",    "case",     "char",    "const",    "constexpr",
    "continue",  "default",  "do",    "double",   "else",     "enum",    "extern",   "false",
    "float",     "for",      "if",    "inline",   "int",      "int32_t", "int64_t",  "long",
    "namespace", "return",   "short", "signed",   "size_t",   "sizeof",  "static",   "struct",
    "switch",    "template", "true",  "typename", "uint32_t", "uint8_t", "unsigned", "using",
    "void",      "volatile", "while"};
constexpr std::array<std::string_view, 15> built_ins{
    "atomicAdd", "atomicCAS", "atomicExch", "atomicMax", "atomicMin",
    "atomicSub", "blockDim",  "blockIdx",   "gridDim",   "max",
    "min",       "threadIdx", "uchar4",     "uint4",     "warpSize"};
static_assert(std::ranges::is_sorted(keywords) && std::ranges::is_sorted(built_ins));

std::optional<TokenKind> kind_of(std::string_view word) {
  if (std::ranges::binary_search(keywords, word)) return TokenKind::keyword;
  if (word.starts_with("__") || std::ranges::binary_search(built_ins, word))
    return TokenKind::built_in;
  return {};
}

}  // namespace

std::vector<Token> tokens_of(std::string_view line, bool& in_comment) {
  using Kind = kernels::CodeToken::Kind;
  std::vector<Token> tokens;
  if (line.empty()) return tokens;
  const std::size_t shift = in_comment ? 2 : 0;
  const std::string text = (in_comment ? "/*" : "") + std::string{line};
  const auto add = [&](TokenKind kind, std::size_t begin, std::size_t end) {
    tokens.push_back({kind, static_cast<std::uint32_t>(std::max(begin, shift) - shift),
                      static_cast<std::uint32_t>(end - shift)});
  };
  const std::vector<kernels::CodeToken> code = kernels::code_and_comments(text);
  in_comment = false;
  for (std::size_t i = 0; i < code.size(); ++i) {
    const std::size_t begin = code[i].begin, end = code[i].end;
    switch (code[i].kind) {
      case Kind::comment:
        in_comment =
            text[begin + 1] == '*' && (end - begin < 4 || text.compare(end - 2, 2, "*/") != 0);
        add(TokenKind::comment, begin, end);
        break;
      case Kind::text: add(TokenKind::text, begin, end); break;
      case Kind::header:
        if (text[begin] == '"') add(TokenKind::text, begin, end);
        break;
      case Kind::number: add(TokenKind::number, begin, end); break;
      case Kind::name:
        if (const std::optional<TokenKind> kind = kind_of(code[i].spelling)) add(*kind, begin, end);
        break;
      case Kind::mark:
        if (!code[i].is("#") || !code[i].begins_line) break;
        if (i + 1 < code.size() && code[i + 1].kind == Kind::name) ++i;
        add(TokenKind::directive, begin, code[i].end);
    }
  }
  return tokens;
}

}  // namespace histolab::viewer

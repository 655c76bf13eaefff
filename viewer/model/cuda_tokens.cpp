#include "viewer/model/cuda_tokens.h"

#include <algorithm>
#include <array>
#include <optional>

#include "grader/words/characters.h"

namespace histolab::viewer {
namespace {

using grader::is_digit;
using grader::is_word;

constexpr std::array<std::string_view, 43> keywords{
    "alignas",  "auto",    "bool",     "break",   "case",    "char",     "const",     "constexpr", "continue",
    "default",  "do",      "double",   "else",    "enum",    "extern",   "false",     "float",     "for",
    "if",       "inline",  "int",      "int32_t", "int64_t", "long",     "namespace", "return",    "short",
    "signed",   "size_t",  "sizeof",   "static",  "struct",  "switch",   "template",  "true",      "typename",
    "uint32_t", "uint8_t", "unsigned", "using",   "void",    "volatile", "while"};
constexpr std::array<std::string_view, 15> built_ins{"atomicAdd", "atomicCAS", "atomicExch", "atomicMax", "atomicMin",
                                                     "atomicSub", "blockDim",  "blockIdx",   "gridDim",   "max",
                                                     "min",       "threadIdx", "uchar4",     "uint4",     "warpSize"};
static_assert(std::ranges::is_sorted(keywords) && std::ranges::is_sorted(built_ins));

std::optional<TokenKind> kind_of(std::string_view word) {
  if (is_digit(word.front())) return TokenKind::number;
  if (std::ranges::binary_search(keywords, word)) return TokenKind::keyword;
  if (word.starts_with("__") || std::ranges::binary_search(built_ins, word)) return TokenKind::built_in;
  return {};
}

// Where a literal that begins at `at` ends: behind its closing quote.
std::size_t end_of_text(std::string_view line, std::size_t at) {
  const char quote = line[at++];
  while (at < line.size() && line[at] != quote) at += line[at] == '\\' ? 2 : 1;
  return std::min(at + 1, line.size());
}

}  // namespace

std::vector<Token> tokens_of(std::string_view line, bool& in_comment) {
  std::vector<Token> tokens;
  std::size_t at = 0;
  const auto add = [&](TokenKind kind, std::size_t end) {
    tokens.push_back({kind, static_cast<std::uint32_t>(at), static_cast<std::uint32_t>(end)});
    at = end;
  };
  const auto comment_from = [&](std::size_t inside) {
    const std::size_t close = line.find("*/", inside);
    in_comment = close == std::string_view::npos;
    add(TokenKind::comment, in_comment ? line.size() : close + 2);
  };
  if (in_comment && !line.empty()) comment_from(0);
  while (at < line.size()) {
    const std::string_view rest = line.substr(at);
    if (rest.starts_with("//")) {
      add(TokenKind::comment, line.size());
    } else if (rest.starts_with("/*")) {
      comment_from(at + 2);
    } else if (rest.front() == '"' || rest.front() == '\'') {
      add(TokenKind::text, end_of_text(line, at));
    } else if (rest.front() == '#' && line.find_first_not_of(' ') == at) {
      add(TokenKind::directive, std::min(line.find_first_of(" /", line.find_first_not_of(' ', at + 1)), line.size()));
    } else if (is_word(rest.front())) {
      const std::size_t end = at + static_cast<std::size_t>(std::ranges::find_if_not(rest, is_word) - rest.begin());
      if (const std::optional<TokenKind> kind = kind_of(line.substr(at, end - at)))
        add(*kind, end);
      else
        at = end;
    } else {
      ++at;
    }
  }
  return tokens;
}

}  // namespace histolab::viewer

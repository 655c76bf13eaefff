#include "kernels/variable_declaration.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <span>

namespace histolab::kernels {
namespace {

using Statement = std::span<const CodeToken>;

bool is_one_of(const CodeToken& token, std::initializer_list<std::string_view> words) {
  return std::ranges::any_of(words, [&](std::string_view word) { return token.is(word); });
}

bool has_one_of(Statement tokens, std::initializer_list<std::string_view> words) {
  return std::ranges::any_of(tokens,
                             [&](const CodeToken& token) { return is_one_of(token, words); });
}

// Returns the index behind the bracket that closes the one at `at`.
std::size_t behind_bracket(Statement tokens, std::size_t at) {
  int depth = 0;
  for (; at < tokens.size(); ++at) {
    if (is_one_of(tokens[at], {"(", "[", "{"})) ++depth;
    if (is_one_of(tokens[at], {")", "]", "}"}) && --depth == 0) return at + 1;
  }
  return at;
}

// Matches `namespace a {` and `extern "C" {`. Declarations in them are also outside
// functions and types.
bool opens_namespace(Statement before) {
  if (has_one_of(before, {"namespace"})) return true;
  return before.size() == 2 && before[0].is("extern") && before[1].kind == CodeToken::Kind::text;
}

std::optional<unsigned long> value_in(Statement behind_name) {
  if (behind_name.size() < 3 || !is_one_of(behind_name[0], {"=", "{"})) return std::nullopt;
  const bool is_alone = is_one_of(behind_name[2], {";", "}", ","});
  if (!is_alone || behind_name[1].kind != CodeToken::Kind::number) return std::nullopt;
  return std::strtoul(behind_name[1].spelling.c_str(), nullptr, 0);
}

// Returns the words in front of the statement's first variable. `before` is the statement up to a
// variable's name.
Statement type_in(Statement before) {
  const auto ends = [](const CodeToken& token) { return is_one_of(token, {"=", ",", "{", "["}); };
  const auto first = std::ranges::find_if(before, ends);
  const auto size = static_cast<std::size_t>(first - before.begin());
  return before.first(first == before.end() ? size : std::max<std::size_t>(size, 1) - 1);
}

VariableDeclaration declaration_of(Statement before, Statement from_name) {
  VariableDeclaration declaration{.line = from_name.front().line,
                                  .value = value_in(from_name.subspan(1))};
  bool has_integer = false, has_unknown = false;
  for (const CodeToken& token : type_in(before)) {
    if (is_one_of(token, {"float", "double", "bool"})) declaration.is_other = true;
    const bool is_integer_word = is_one_of(
        token, {"unsigned", "signed", "int", "uint", "uint32_t", "int32_t", "long", "short"});
    has_integer |= is_integer_word;
    has_unknown |=
        token.kind == CodeToken::Kind::name && !is_integer_word &&
        !is_one_of(token, {"extern", "const", "constexpr", "constinit", "static", "inline",
                           "volatile", "std", "__device__", "__constant__", "__managed__"});
  }
  declaration.is_other |=
      is_one_of(before.back(), {"*", "&"}) || (from_name.size() > 1 && from_name[1].is("["));
  declaration.is_integer = has_integer && !has_unknown && !declaration.is_other;
  return declaration;
}

bool declares_variable(Statement before, Statement from_name) {
  if (before.empty() || from_name.size() < 2) return false;
  if (!is_one_of(from_name[1], {"=", "{", ";", "[", ","})) return false;
  if (is_one_of(before.back(), {"struct", "class", "union", "enum", "namespace", ":", "=", "."}))
    return false;
  return !has_one_of(before, {"using", "typedef", "template", "enum", "namespace"});
}

}  // namespace

std::optional<VariableDeclaration> find_variable(const std::vector<CodeToken>& all,
                                                 std::string_view name) {
  std::vector<CodeToken> kept;
  std::ranges::copy_if(all, std::back_inserter(kept),
                       [](const CodeToken& token) { return !token.directive; });
  const Statement tokens{kept};
  for (std::size_t at = 0, begin = 0; at < tokens.size();) {
    const Statement before = tokens.subspan(begin, at - begin);
    if (tokens[at].is(name) && declares_variable(before, tokens.subspan(at)))
      return declaration_of(before, tokens.subspan(at));
    if (tokens[at].is("{") && opens_namespace(before)) {
      begin = ++at;
    } else if (is_one_of(tokens[at], {"(", "[", "{"})) {
      const bool is_body = tokens[at].is("{");
      at = behind_bracket(tokens, at);
      // A braced initializer is followed by the rest of its statement, a function body by the
      // next statement.
      if (is_body && at < tokens.size() && !is_one_of(tokens[at], {";", ","})) begin = at;
    } else if (is_one_of(tokens[at], {";", "}"})) {
      begin = ++at;
    } else {
      ++at;
    }
  }
  return std::nullopt;
}

std::string export_declaration(std::string_view name) {
  return fmt::format("extern \"C\" __device__ const unsigned int {} = ...;", name);
}

std::string about_wrong_export(std::string_view name) {
  return fmt::format("`{}` must be an unsigned int. Write {}", name, export_declaration(name));
}

}  // namespace histolab::kernels

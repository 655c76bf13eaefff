#include "kernels/worker/source/source_tokens.h"

#include <algorithm>
#include <initializer_list>
#include <string_view>

namespace histolab::kernels::worker {

bool is_assembly(const std::vector<Token>& tokens, std::size_t at) {
  const auto is = [&](std::initializer_list<std::string_view> words) {
    return at < tokens.size() &&
           std::any_of(words.begin(), words.end(),
                       [&](std::string_view word) { return tokens[at].is(word); });
  };
  if (!is({"asm", "__asm", "__asm__"})) return false;
  for (++at; is({"volatile", "__volatile__", "__volatile", "inline", "goto"});) ++at;
  if (!is({"("}) || ++at == tokens.size() || tokens[at].kind != Token::Kind::text ||
      !tokens[at].spelling.empty())
    return true;
  ++at;
  return !is({":", ")"});
}

}  // namespace histolab::kernels::worker

#include "kernels/worker/protocol/json_parts.h"

#include <fmt/format.h>

#include "reference/utf8.h"

namespace histolab::kernels::worker {

std::string read_text(const json& j, std::size_t longest, bool in_lines) {
  // json::dump() replaces each byte that is invalid in UTF-8 by three, after cut().
  constexpr std::size_t bytes_of_replacement = 3;
  std::string text = j.get<std::string>();
  if (text.size() > bytes_of_replacement * longest) throw std::out_of_range("too long a text");
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto c = static_cast<unsigned char>(text[i]);
    const bool ends_line = in_lines && (c == '\n' || c == '\t');
    const bool is_c1 = c == 0xc2 && i + 1 < text.size() &&
                       (static_cast<unsigned char>(text[i + 1]) & 0xe0) == 0x80;
    if ((c < 0x20 && !ends_line) || c == 0x7f) text[i] = '?';
    if (is_c1) text.replace(i, 2, "?");
  }
  return text;
}
std::string cut(std::string text, std::size_t longest) {
  text.resize(beginning_of(text, longest).size());
  return text;
}

Error wrong_form(const char* what, const char* key, std::string_view why) {
  if (why.starts_with('[')) why.remove_prefix(why.find("] ") + 2);  // nlohmann's exception number
  return {fmt::format("{} does not have the agreed form: {}{}{}", what, key == nullptr ? "" : key,
                      key == nullptr ? "" : ": ", why)};
}

}  // namespace histolab::kernels::worker

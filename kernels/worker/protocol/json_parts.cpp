#include "kernels/worker/protocol/json_parts.h"

#include <climits>

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
std::string read_name(const json& j) { return read_text(j, longest_name); }
std::string cut(std::string text, std::size_t longest) {
  text.resize(beginning_of(text, longest).size());
  return text;
}

std::map<std::string, std::uint32_t> read_words(const json& j) {
  if (!j.is_object()) throw std::out_of_range("not an object of names and values");
  std::map<std::string, std::uint32_t> words;
  for (const auto& [name, value] : j.items()) words[name] = read_at_most(value, UINT32_MAX);
  return words;
}
std::uint32_t read_at_most(const json& j, std::uint32_t most) {
  if (!j.is_number_unsigned()) throw std::out_of_range("not an unsigned number");
  const auto value = j.get<std::uint64_t>();
  if (value > most) throw std::out_of_range("too large a number");
  return static_cast<std::uint32_t>(value);
}
int read_line_number(const json& j) { return static_cast<int>(read_at_most(j, INT_MAX)); }

json write_dim(const Dim3& d) { return {d.x, d.y, d.z}; }
Dim3 read_dim(const json& j) {
  return {j.at(0).get<std::uint32_t>(), j.at(1).get<std::uint32_t>(), j.at(2).get<std::uint32_t>()};
}

json write_diagnostic(const Diagnostic& d) {
  return {static_cast<int>(d.severity), d.line, d.column, cut(d.message, longest_message)};
}
Diagnostic read_diagnostic(const json& j) {
  return {read_enum(j.at(0), Severity::note), read_line_number(j.at(1)), read_line_number(j.at(2)),
          read_text(j.at(3), longest_message, true)};
}

}  // namespace histolab::kernels::worker

#include "kernels/worker/local_arrays.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstdint>
#include <set>

#include "kernels/worker/source_text.h"

namespace histolab::kernels::worker {
namespace {

// As g++ takes it: `$` too, and what is beyond ASCII, which a dump declares as it is and uses as \U000000e4.
bool is_of_a_name(char c) { return is_word(c) || c == '$' || c == '\\' || (static_cast<unsigned char>(c) & 0x80u) != 0; }
bool begins_a_name(char c) { return is_of_a_name(c) && std::isdigit(static_cast<unsigned char>(c)) == 0; }

// The name as a dump uses it.
std::string in_ascii(std::string_view name) {
  std::string text;
  for (std::size_t i = 0; i < name.size();) {
    const auto first = static_cast<unsigned char>(name[i++]);
    if (first < 0x80) {
      text += static_cast<char>(first);
      continue;
    }
    std::uint32_t letter = first & (first < 0xe0 ? 0x1fu : first < 0xf0 ? 0xfu : 7u);
    for (; i < name.size() && (static_cast<unsigned char>(name[i]) & 0xc0u) == 0x80; ++i) letter = letter << 6 | (static_cast<unsigned char>(name[i]) & 0x3fu);
    text += fmt::format("\\U{:08x}", letter);
  }
  return text;
}

// "  unsigned int counts[7];" -> "counts"; empty: it declares no variable of the source's that may have elements.
std::string_view declared(std::string_view line) {
  if (!line.starts_with("  ") || line.starts_with("  static ") || line.starts_with("  [") || !line.ends_with(';')) return {};
  line.remove_suffix(1);
  const bool is_array = line.ends_with(']');
  line = line.substr(0, line.find('['));
  std::size_t begin = line.size();
  while (begin > 0 && is_of_a_name(line[begin - 1])) --begin;
  const std::string_view name = line.substr(begin), type = line.substr(0, begin);
  if (name.empty() || !begins_a_name(name[0]) || type.size() < 4 || type.find_first_of(is_array ? "&=(" : "*&=(") != type.npos) return {};
  const bool is_computed = !is_array && name[0] == '_' && name.size() > 1 && std::isdigit(static_cast<unsigned char>(name[1])) != 0;  // `_7`, of g++'s own
  return is_computed ? std::string_view{} : name;
}

// Is the variable in `line` at `at` indexed by something that is no number, or does somebody get its address?
bool lies_in_memory(std::string_view line, std::size_t at, std::size_t end) {
  const bool is_address = at > 0 && line[at - 1] == '&';
  if (line.substr(0, at).ends_with(">(") && end < line.size() && line[end] == ')') ++end;  // VIEW_CONVERT_EXPR<unsigned int[4]>(v)[_5]
  for (bool is_part = true; is_part && end + 1 < line.size();) {  // of a structure: .member; of an array: [3]
    is_part = line[end] == '.' || line[end] == '[';
    if (line[end] == '[' && begins_a_name(line[end + 1])) return true;
    if (line[end] == '[') end = std::min(line.find(']', end), line.size() - 1) + 1;
    else if (line[end] == '.')
      for (++end; end < line.size() && is_of_a_name(line[end]); ++end) {
      }
  }
  if (!is_address) return false;
  const std::string_view rest = line.substr(std::min(end, line.size()));
  const bool moved = rest.starts_with(" + ") && rest.size() > 3 && begins_a_name(rest[3]);
  return moved || rest.starts_with(")") || rest.starts_with(",") || rest.starts_with(";");
}

}  // namespace

std::vector<IndexedArray> indexed_arrays(std::string_view dump, const std::string& file) {
  std::vector<IndexedArray> arrays;
  std::set<std::string, std::less<>> variables;  // of the function
  const std::string place = "  [" + file + ":";
  for (std::size_t begin = 0; begin < dump.size();) {
    const std::size_t end = std::min(dump.find('\n', begin), dump.size());
    const std::string_view line = dump.substr(begin, end - begin);
    begin = end + 1;
    if (line == "{") variables.clear();
    if (const std::string_view name = declared(line); !name.empty()) variables.emplace(in_ascii(name));
    if (!line.starts_with(place)) continue;
    for (std::size_t at = line.find(']'); at < line.size();) {
      if (!begins_a_name(line[at]) || is_of_a_name(line[at - 1])) {
        ++at;
        continue;
      }
      std::size_t after = at;
      while (after < line.size() && is_of_a_name(line[after])) ++after;
      const std::string_view name = line.substr(at, after - at);
      if (variables.contains(name) && lies_in_memory(line, at, after)) {
        IndexedArray& array = arrays.emplace_back();
        array.name = name;
        std::from_chars(line.data() + place.size(), line.data() + line.size(), array.line);
      }
      at = after;
    }
  }
  std::stable_sort(arrays.begin(), arrays.end(), [](const auto& a, const auto& b) { return a.line < b.line; });
  std::set<std::string> seen;
  std::erase_if(arrays, [&](const IndexedArray& each) { return !seen.insert(each.name).second; });
  return arrays;
}

}  // namespace histolab::kernels::worker

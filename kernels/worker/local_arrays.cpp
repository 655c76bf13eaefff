#include "kernels/worker/local_arrays.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <set>

#include "kernels/worker/source_text.h"

namespace histolab::kernels::worker {
namespace {

bool begins_a_name(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_'; }

// "  unsigned int counts[7];" -> "counts"; empty: it declares no variable of the source's that may have elements.
std::string_view declared(std::string_view line) {
  if (!line.starts_with("  ") || line.starts_with("  static ") || line.starts_with("  [") || !line.ends_with(';')) return {};
  line.remove_suffix(1);
  line = line.substr(0, line.find('['));
  std::size_t begin = line.size();
  while (begin > 0 && is_word(line[begin - 1])) --begin;
  const std::string_view name = line.substr(begin), type = line.substr(0, begin);
  if (name.empty() || !begins_a_name(name[0]) || type.size() < 4 || type.find_first_of("*&=(") != type.npos) return {};
  return name[0] == '_' && name.size() > 1 && std::isdigit(static_cast<unsigned char>(name[1])) != 0 ? std::string_view{} : name;
}

// Is the variable in `line` at `at` indexed by something that is no number, or does somebody get its address?
bool lies_in_memory(std::string_view line, std::size_t at, std::size_t end) {
  if (at > 0 && line[at - 1] == '&') {
    const std::string_view rest = line.substr(end);
    const bool moved = rest.starts_with(" + ") && rest.size() > 3 && begins_a_name(rest[3]);
    return moved || rest.starts_with(")") || rest.starts_with(",") || rest.starts_with(";");
  }
  while (end < line.size() && line[end] == '.')  // of a structure: .member
    for (++end; end < line.size() && is_word(line[end]); ++end) {
    }
  for (; end + 1 < line.size() && line[end] == '['; end = std::min(line.find(']', end), line.size() - 1) + 1)
    if (begins_a_name(line[end + 1])) return true;
  return false;
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
    if (const std::string_view name = declared(line); !name.empty()) variables.emplace(name);
    if (!line.starts_with(place)) continue;
    for (std::size_t at = line.find(']'); at < line.size();) {
      if (!begins_a_name(line[at]) || is_word(line[at - 1])) {
        ++at;
        continue;
      }
      std::size_t after = at;
      while (after < line.size() && is_word(line[after])) ++after;
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

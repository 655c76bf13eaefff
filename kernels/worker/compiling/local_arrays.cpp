#include "kernels/worker/compiling/local_arrays.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstdint>
#include <map>
#include <set>

#include "kernels/worker/source/source_text.h"

namespace histolab::kernels::worker {
namespace {

// g++ allows `$` and letters beyond ASCII in names. A dump declares such a letter unchanged and
// uses it as \U000000e4.
bool is_of_a_name(char c) {
  return is_word(c) || c == '$' || c == '\\' || (static_cast<unsigned char>(c) & 0x80u) != 0;
}
bool begins_a_name(char c) {
  return is_of_a_name(c) && std::isdigit(static_cast<unsigned char>(c)) == 0;
}

// Returns the name in the form that a dump uses.
std::string in_ascii(std::string_view name) {
  std::string text;
  for (std::size_t i = 0; i < name.size();) {
    const auto first = static_cast<unsigned char>(name[i++]);
    if (first < 0x80) {
      text += static_cast<char>(first);
      continue;
    }
    std::uint32_t letter = first & (first < 0xe0 ? 0x1fu : first < 0xf0 ? 0xfu : 7u);
    for (; i < name.size() && (static_cast<unsigned char>(name[i]) & 0xc0u) == 0x80; ++i)
      letter = letter << 6 | (static_cast<unsigned char>(name[i]) & 0x3fu);
    text += fmt::format("\\U{:08x}", letter);
  }
  return text;
}

// "  unsigned int counts[7];" -> "counts", "  struct S D.2147;" -> "D.2147". Empty if the line does
// not declare a variable that may have elements.
std::string_view declared(std::string_view line) {
  if (!line.starts_with("  ") || line.starts_with("  static ") || line.starts_with("  [") ||
      !line.ends_with(';'))
    return {};
  line.remove_suffix(1);
  const bool is_array = line.ends_with(']');
  line = line.substr(0, line.find('['));
  std::size_t begin = line.size();
  while (begin > 0 && is_of_a_name(line[begin - 1])) --begin;
  if (begin >= 3 && line.substr(begin - 3, 3) == " D.") begin -= 2;
  const std::string_view name = line.substr(begin), type = line.substr(0, begin);
  if (name.empty() || !begins_a_name(name[0]) || type.size() < 4 ||
      type.find_first_of(is_array ? "&=(" : "*&=(") != type.npos)
    return {};
  // Such as `_7`, which g++ adds itself.
  const bool is_computed = !is_array && name[0] == '_' && name.size() > 1 &&
                           std::isdigit(static_cast<unsigned char>(name[1])) != 0;
  return is_computed ? std::string_view{} : name;
}

// Returns whether nvcc 13.0 (sm_90) keeps an array in local memory if its index is computed. `line`
// is its declaration: "  unsigned int counts[26];". Seven elements of two or four bytes fit in
// registers.
bool is_large_array(std::string_view line) {
  constexpr std::uint64_t most_in_registers = 7;
  std::uint64_t elements = 1;
  const std::size_t open = line.find('[');
  for (std::size_t at = open; at != line.npos; at = line.find('[', at + 1)) {
    std::uint64_t count = 0;
    std::from_chars(line.data() + at + 1, line.data() + line.size(), count);
    elements *= std::clamp<std::uint64_t>(count, 1, 1u << 16);
    if (elements > most_in_registers) return true;
  }
  const std::string_view type = line.substr(0, open);
  const auto is_one_of = [&](std::initializer_list<std::string_view> names) {
    return std::ranges::any_of(names, [&](auto name) { return type.find(name) != type.npos; });
  };
  return open != line.npos && is_one_of({"char", "bool", "int8", "long", "double", "int64", "*"});
}

// "struct S make (struct S s, unsigned int bin)" -> "s", "bin"
template <class F>
void each_parameter(std::string_view head, F&& f) {
  const std::size_t open = head.find(" (");
  if (head.empty() || head[0] == ' ' || head[0] == ';' || open == head.npos || !head.ends_with(')'))
    return;
  head = head.substr(open + 2, head.size() - open - 3);
  while (!head.empty()) {
    const std::string_view one = head.substr(0, head.find(", "));
    head.remove_prefix(std::min(head.size(), one.size() + 2));
    std::size_t begin = one.size();
    while (begin > 0 && is_of_a_name(one[begin - 1])) --begin;
    if (begin > 0 && begin < one.size() && one.find_first_of("*&(") == one.npos)
      f(one.substr(begin));
  }
}

// A statement without the source positions that -lineno adds, "[kernel.cu:4:12 discrim 2] ".
struct Statement {
  std::string text;
  int line = 0;               // first line in the source, or 0
  bool is_of_source = false;  // the statement itself has a position there
};

Statement without_places(std::string_view text, const std::string& file) {
  Statement statement;
  bool is_first = true;
  for (std::size_t at = 0; at < text.size();) {
    constexpr std::size_t longest_place = 512;
    const std::string_view ahead = text.substr(at, longest_place);
    const std::size_t length = ahead[0] == '[' ? ahead.find("] ") : ahead.npos;
    const std::string_view place =
        length == ahead.npos ? std::string_view{} : ahead.substr(1, length - 1);
    const std::size_t column = place.rfind(':');
    const bool is_place = column != place.npos && column > 0 &&
                          std::isdigit(static_cast<unsigned char>(place[column - 1])) != 0 &&
                          place.find('[') == place.npos;
    if (!is_place) {
      statement.text += text[at++];
      continue;
    }
    if (place.size() > file.size() && place.starts_with(file) && place[file.size()] == ':') {
      if (statement.line == 0)
        std::from_chars(place.data() + file.size() + 1, place.data() + place.size(),
                        statement.line);
      statement.is_of_source = statement.is_of_source || is_first;
    }
    is_first = false;
    at += length + 2;
  }
  return statement;
}

enum class Use { element, address, indexed };

// Returns how a statement uses the variable at `at`: as a whole or by constant indices, by its
// address, or by a variable index.
Use use_of(std::string_view line, std::size_t at, std::size_t end) {
  bool is_address = at > 0 && line[at - 1] == '&';
  if (line.substr(0, at).ends_with(">(") && end < line.size() && line[end] == ')')
    ++end;  // VIEW_CONVERT_EXPR<unsigned int[4]>(v)[_5]
  // MEM <unsigned int[7]> [(unsigned int &)&counts + 4B][_5] is an access; the address is not
  // passed on.
  constexpr std::size_t longest_type = 256;
  const std::string_view before =
      line.substr(at - std::min(at, longest_type), std::min(at, longest_type));
  if (const std::size_t open = before.rfind('[');
      is_address && open != before.npos && before.substr(open).starts_with("[(")) {
    const std::size_t close = line.find(']', end);
    const std::string_view offset = line.substr(end, close == line.npos ? line.npos : close - end);
    if (close == line.npos || offset.find("index") != offset.npos ||
        offset.find("step") != offset.npos)
      return Use::indexed;
    is_address = false;
    end = close + 1;
  }
  // .member of a structure or [3] of an array.
  for (bool is_part = true; is_part && end + 1 < line.size();) {
    is_part = line[end] == '.' || line[end] == '[';
    if (line[end] == '[' && begins_a_name(line[end + 1])) return Use::indexed;
    if (line[end] == '[')
      end = std::min(line.find(']', end), line.size() - 1) + 1;
    else if (line[end] == '.')
      for (++end; end < line.size() && is_of_a_name(line[end]); ++end) {
      }
  }
  if (!is_address) return Use::element;
  const std::string_view rest = line.substr(std::min(end, line.size()));
  const bool moved = rest.starts_with(" + ") && rest.size() > 3 && begins_a_name(rest[3]);
  const bool is_choice =
      rest.starts_with("(") && line.starts_with("  # ");  // one of the addresses of a PHI
  return moved || is_choice || rest.starts_with(")") || rest.starts_with(",") ||
                 rest.starts_with(";")
             ? Use::address
             : Use::element;
}

// A variable in one function.
struct Variable {
  bool is_volatile = false, is_of_source = false, is_in_memory = false;
  int line = 0;  // first line that needs memory; 0 if it is outside of the source
  int first_line = 0;
  bool is_large = false;  // too large for nvcc to keep it in registers anyway
  std::set<int> used_at;
};
using Variables = std::map<std::string, Variable, std::less<>>;

void look_at(const Statement& statement, Variables& variables) {
  const std::string_view line = statement.text;
  const bool is_volatile = line.find("={v}") != line.npos && line.find("{CLOBBER") == line.npos;
  for (std::size_t at = 0; at < line.size();) {
    const bool is_result = line.substr(at).starts_with("<retval>");
    if (!is_result && (!begins_a_name(line[at]) || (at > 0 && is_of_a_name(line[at - 1])))) {
      ++at;
      continue;
    }
    std::size_t after = at + (is_result ? 8 : line.substr(at).starts_with("D.") ? 2 : 0);
    while (after < line.size() && is_of_a_name(line[after])) ++after;
    if (const auto found = variables.find(line.substr(at, after - at)); found != variables.end()) {
      Variable& variable = found->second;
      if (statement.line != 0 && !variable.is_of_source) {
        variable.is_of_source = true;
        variable.first_line = statement.line;
      }
      if (statement.line != 0) variable.used_at.insert(statement.line);
      const Use use = use_of(line, at, after);
      // The shim's own functions may take an address. A choice among addresses or a variable index
      // needs memory.
      const bool is_chosen =
          use == Use::indexed ||
          (use == Use::address && (statement.is_of_source || line.starts_with("  # ")));
      if ((is_chosen || (variable.is_volatile && is_volatile)) &&
          (!variable.is_in_memory || variable.line == 0)) {
        variable.is_in_memory = true;
        variable.line = statement.line;
      }
    }
    at = after;
  }
}

void add_arrays(const Variables& variables, std::vector<IndexedArray>& arrays) {
  for (const auto& [name, variable] : variables) {
    if (!variable.is_in_memory || !variable.is_of_source) continue;
    const bool is_unnamed = name.starts_with("D.") || name.starts_with("<");
    arrays.push_back({is_unnamed ? "a variable without a name" : name,
                      variable.line != 0 ? variable.line : variable.first_line,
                      {}});
    if (variable.is_large)
      arrays.back().memory_lines.assign(variable.used_at.begin(), variable.used_at.end());
  }
}

}  // namespace

std::vector<IndexedArray> indexed_arrays(std::string_view dump, const std::string& file) {
  std::vector<IndexedArray> arrays;
  Variables variables;
  std::string_view head;
  for (std::size_t begin = 0; begin < dump.size();) {
    const std::size_t end = std::min(dump.find('\n', begin), dump.size());
    const std::string_view line = dump.substr(begin, end - begin);
    begin = end + 1;
    if (line == "{") {
      add_arrays(variables, arrays);
      variables.clear();
      variables["<retval>"];
      each_parameter(head, [&](std::string_view name) { variables[in_ascii(name)]; });
    }
    head = line;
    if (const std::string_view name = declared(line); !name.empty()) {
      Variable& variable = variables[in_ascii(name)];
      variable.is_volatile =
          line.starts_with("  volatile ") || line.starts_with("  const volatile ");
      variable.is_large = is_large_array(line);
    } else if (line.starts_with("  ") && !line.starts_with("  # DEBUG"))
      look_at(without_places(line, file), variables);
  }
  add_arrays(variables, arrays);
  std::stable_sort(arrays.begin(), arrays.end(),
                   [](const auto& a, const auto& b) { return a.line < b.line; });
  std::vector<IndexedArray> merged;
  std::map<std::string, std::size_t> place_of;
  for (IndexedArray& each : arrays) {
    const auto [found, is_new] = place_of.emplace(each.name, merged.size());
    if (is_new) {
      merged.push_back(std::move(each));
    } else {
      std::vector<int>& lines = merged[found->second].memory_lines;
      lines.insert(lines.end(), each.memory_lines.begin(), each.memory_lines.end());
    }
  }
  return merged;
}

}  // namespace histolab::kernels::worker

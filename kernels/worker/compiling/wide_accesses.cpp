#include "kernels/worker/compiling/wide_accesses.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <regex>
#include <utility>

namespace histolab::kernels::worker {
namespace {

// The source determines the length of names, and std::regex uses stack per character.
constexpr std::size_t longest_line = 1000;

// Returns the size in bytes of a type that a GPU accesses by one instruction, or 0 for other types.
int width_of(std::string_view type) {
  for (const std::string_view qualifier : {"const ", "volatile "})
    if (type.starts_with(qualifier)) type.remove_prefix(qualifier.size());
  static const std::map<std::string_view, int> scalars = {
      {"short int", 2},     {"short unsigned int", 2},
      {"char16_t", 2},      {"int", 4},
      {"unsigned int", 4},  {"float", 4},
      {"char32_t", 4},      {"wchar_t", 4},
      {"long int", 8},      {"long unsigned int", 8},
      {"long long int", 8}, {"long long unsigned int", 8},
      {"double", 8}};
  static const std::map<std::string_view, int> elements = {
      {"char", 1},  {"uchar", 1}, {"short", 2}, {"ushort", 2},   {"int", 4},       {"uint", 4},
      {"float", 4}, {"long", 8},  {"ulong", 8}, {"longlong", 8}, {"ulonglong", 8}, {"double", 8}};
  if (const auto scalar = scalars.find(type); scalar != scalars.end()) return scalar->second;
  constexpr std::string_view keyword = "struct ";
  if (!type.starts_with(keyword)) return 0;
  type.remove_prefix(keyword.size());
  const char count = type.empty() ? '0' : type.back();
  const auto element = count == '2' || count == '4' ? elements.find(type.substr(0, type.size() - 1))
                                                    : elements.end();
  return element == elements.end() ? 0 : element->second * (count - '0');
}

// Maps each pointer of a function to the type that it points to.
using Pointees = std::map<std::string, std::string>;

// Reads "  const struct uint4 & _13;".
void read_declaration(const std::string& line, Pointees& pointees) {
  static const std::regex pointer(R"(  (.*[^ ]) [*&] (?:restrict )?([A-Za-z_0-9]+);)");
  std::smatch match;
  if (std::regex_match(line, match, pointer)) pointees[match[2]] = match[1];
}

// Returns the width in bytes of an assignment from or to a whole object, such as `MEM[(const struct
// uint4 &)&dyn + 12]` or `*_5`. Returns 0 for a member or another statement.
int whole_object(const std::string& statement, const Pointees& pointees) {
  static const std::regex cast(R"(MEM\[\(([a-z0-9_ ]+) [*&]\)[^\[\]]*\](?: = |;))"),
      plain(R"([ \]]\*([A-Za-z_0-9]+)(?: = |;))");
  std::smatch match;
  if (std::regex_search(statement, match, cast)) return width_of(match[1].str());
  if (!std::regex_search(statement, match, plain)) return 0;
  const auto known = pointees.find(match[1]);
  return known == pointees.end() ? 0 : width_of(known->second);
}

struct Range {
  std::string place;  // "[kernel.cu:12:9]"
  int line = 0, bytes = 0;
};

// Reads "  [kernel.cu:17:21] __builtin___tsan_write_range (&MEM[...], 8);".
bool read_range_call(const std::string& line, const std::string& file, Range& range) {
  const std::string begin = "  [" + file + ":";
  if (!line.starts_with(begin) || line.find("__builtin___tsan_") == std::string::npos) return false;
  if (line.find("_range (") == std::string::npos) return false;
  const std::size_t comma = line.rfind(", ");
  if (comma == std::string::npos) return false;
  std::from_chars(line.data() + begin.size(), line.data() + line.size(), range.line);
  std::from_chars(line.data() + comma + 2, line.data() + line.size(), range.bytes);
  range.place = line.substr(2, line.find(']') - 1);
  return true;
}

}  // namespace

std::vector<emulator::WideAccess> wide_accesses(std::string_view dump, const std::string& file) {
  std::map<std::pair<int, int>, bool> are_wide;  // keyed by line and bytes
  std::vector<Range> asked;                      // ranges whose statement was not read yet
  Pointees pointees;
  if (dump.find("_range (") == std::string_view::npos) return {};
  for (std::size_t at = 0; at < dump.size();) {
    const std::size_t end = std::min(dump.find('\n', at), dump.size());
    const std::string line(dump.substr(at, end - at));
    at = end + 1;
    if (line.size() > longest_line) continue;
    if (line == "{") pointees.clear();
    if (line.ends_with(';') && !line.starts_with("  [")) read_declaration(line, pointees);
    Range range;
    if (read_range_call(line, file, range)) {
      asked.push_back(std::move(range));
      continue;
    }
    if (asked.empty() || !line.starts_with("  " + asked.back().place + " ") ||
        line.find("__builtin___tsan_") != std::string::npos)
      continue;
    const int width = whole_object(line, pointees);
    for (const Range& each : asked) {
      const auto [known, added] = are_wide.try_emplace({each.line, each.bytes}, true);
      known->second &= width == each.bytes;
    }
    asked.clear();
  }
  for (const Range& each : asked) are_wide[{each.line, each.bytes}] = false;
  std::vector<emulator::WideAccess> accesses;
  for (const auto& [key, wide] : are_wide)
    if (wide && key.second <= 16)
      accesses.push_back({key.first, static_cast<std::uint8_t>(key.second)});
  return accesses;
}

}  // namespace histolab::kernels::worker

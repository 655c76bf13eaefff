#include "kernels/emulator/module/pointer_arguments.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "kernels/kernel_name.h"

namespace histolab::kernels::emulator {
namespace {

// "void k<float>(float const*, int)" -> "float const*", "int". Returns nullopt if it has no list.
std::optional<std::vector<std::string_view>> parameter_types(std::string_view demangled) {
  if (!demangled.ends_with(')')) return std::nullopt;
  const std::size_t end = demangled.size() - 1;
  std::vector<std::string_view> types;
  int depth = 0;
  std::size_t last = end;
  for (std::size_t at = end; at-- > 0;) {
    const char c = demangled[at];
    if (c == ')' || c == '>') ++depth;
    const bool opens = c == '(' && depth == 0, separates = c == ',' && depth == 0;
    if (opens || separates) {
      std::string_view type = demangled.substr(at + 1, last - at - 1);
      type.remove_prefix(std::min(type.find_first_not_of(' '), type.size()));
      if (!type.empty()) types.push_back(type);
      last = at;
    }
    if (opens) {
      std::ranges::reverse(types);
      return types;
    }
    if (c == '(' || c == '<') --depth;
  }
  return std::nullopt;
}

bool is_integer(std::string_view type) {
  static constexpr std::array names = {
      "bool",    "char",           "signed char",       "unsigned char", "short",
      "int",     "unsigned short", "unsigned int",      "long",          "unsigned long",
      "wchar_t", "long long",      "unsigned long long"};
  return std::ranges::find(names, type) != names.end();
}

}  // namespace

std::optional<PointerArguments> pointer_arguments(const std::string& mangled,
                                                  const RawArguments& arguments) {
  const std::string demangled = demangle(mangled);
  const auto types = parameter_types(demangled);
  if (!types) return std::nullopt;
  PointerArguments found;
  std::size_t integers = 0, vectors = 0, stacked = 0;
  for (const std::string_view type : *types) {
    const bool is_pointer = type.ends_with('*');
    if (type == "float" || type == "double") {
      if (vectors++ >= arguments.vectors.size()) stacked += 8;
      continue;
    }
    if (!is_pointer && !is_integer(type)) return std::nullopt;
    std::uint64_t value = 0;
    if (integers < arguments.integers.size()) {
      value = arguments.integers[integers++];
    } else {
      if (stacked + sizeof value > arguments.stack.size()) return std::nullopt;
      std::memcpy(&value, arguments.stack.data() + stacked, sizeof value);
      stacked += sizeof value;
    }
    if (is_pointer) (type.ends_with(" const*") ? found.to_const : found.others).push_back(value);
  }
  return found;
}

}  // namespace histolab::kernels::emulator

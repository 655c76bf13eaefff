// Parameters of kernels, from their demangled names. Places in registers and on the stack follow
// the System V ABI.
#include <algorithm>
#include <cctype>
#include <optional>

#include "kernels/program/description/description.h"

namespace histolab::kernels::program {
namespace {

using Where = ArgumentPlace::Where;

struct ValueType {
  std::string_view name;
  std::uint32_t bytes = 0, alignment = 0;
  bool is_floating = false;
};
constexpr ValueType value_types[] = {
    {"bool", 1, 1},          {"char", 1, 1},           {"signed char", 1, 1},
    {"unsigned char", 1, 1}, {"short", 2, 2},          {"unsigned short", 2, 2},
    {"int", 4, 4},           {"unsigned int", 4, 4},   {"long", 8, 8},
    {"unsigned long", 8, 8}, {"long long", 8, 8},      {"unsigned long long", 8, 8},
    {"wchar_t", 4, 4},       {"char16_t", 2, 2},       {"char32_t", 4, 4},
    {"float", 4, 4, true},   {"double", 8, 8, true},   {"dim3", 12, 4},
    {"char2", 2, 2},         {"uchar2", 2, 2},         {"char3", 3, 1},
    {"uchar3", 3, 1},        {"char4", 4, 4},          {"uchar4", 4, 4},
    {"short2", 4, 4},        {"ushort2", 4, 4},        {"short4", 8, 8},
    {"ushort4", 8, 8},       {"int2", 8, 8},           {"uint2", 8, 8},
    {"int3", 12, 4},         {"uint3", 12, 4},         {"int4", 16, 16},
    {"uint4", 16, 16},       {"long2", 16, 16},        {"ulong2", 16, 16},
    {"longlong2", 16, 16},   {"ulonglong2", 16, 16},   {"float2", 8, 8, true},
    {"float3", 12, 4, true}, {"float4", 16, 16, true}, {"double2", 16, 16, true},
};

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

bool drop_suffix(std::string_view& text, std::string_view suffix) {
  if (!text.ends_with(suffix)) return false;
  text = trimmed(text.substr(0, text.size() - suffix.size()));
  return true;
}

// Removes `const` and the like at the end. Returns whether `const` was there.
bool drop_qualifiers(std::string_view& type) {
  bool is_const = false;
  for (bool again = true; again;) {
    again = false;
    for (const std::string_view word : {" const", " volatile", " __restrict"})
      if (drop_suffix(type, word)) {
        is_const |= word == " const";
        again = true;
      }
  }
  return is_const;
}

const ValueType* value_type(std::string_view name) {
  const auto* found = std::ranges::find(value_types, name, &ValueType::name);
  return found == std::end(value_types) ? nullptr : found;
}

// Returns the types in the last parentheses of the name.
std::vector<std::string_view> types_in(std::string_view name) {
  drop_qualifiers(name);
  if (!name.ends_with(')')) return {};
  std::size_t begin = name.size();
  int depth = 0;
  do {
    --begin;
    if (name[begin] == ')') ++depth;
    if (name[begin] == '(') --depth;
  } while (begin > 0 && depth > 0);
  if (depth != 0) return {};
  const std::string_view list = name.substr(begin + 1, name.size() - begin - 2);
  std::vector<std::string_view> types;
  std::size_t from = 0;
  for (std::size_t at = 0; at <= list.size(); ++at) {
    if (at < list.size() && std::string_view("(<[{").find(list[at]) != std::string_view::npos)
      ++depth;
    if (at < list.size() && std::string_view(")>]}").find(list[at]) != std::string_view::npos)
      --depth;
    if (at == list.size() || (list[at] == ',' && depth == 0)) {
      types.push_back(trimmed(list.substr(from, at - from)));
      from = at + 1;
    }
  }
  if (types.size() == 1 && (types[0].empty() || types[0] == "void")) types.clear();
  return types;
}

// Hands out registers and the stack to the arguments of a call, in order.
class Places {
 public:
  std::vector<ArgumentPlace> take(std::uint32_t argument, const ValueType& type) {
    const std::uint32_t words = (type.bytes + 7) / 8;
    std::uint32_t& next = type.is_floating ? vectors_ : integers_;
    const bool fits = next + words <= (type.is_floating ? 8u : 6u);
    std::vector<ArgumentPlace> places;
    if (!fits && type.alignment > 8) stack_ = (stack_ + 15) / 16 * 16;
    for (std::uint32_t word = 0; word < words; ++word) {
      const std::uint32_t offset = word * 8, bytes = std::min(8u, type.bytes - offset);
      if (fits)
        places.push_back(
            {argument, offset, bytes, type.is_floating ? Where::vector : Where::integer, next++});
      else
        places.push_back({argument, offset, bytes, Where::stack, stack_ + offset});
    }
    if (!fits) stack_ += words * 8;
    if (stack_ > emulator::RawArguments::most_stack_bytes) return {};
    return places;
  }

 private:
  std::uint32_t integers_ = 0, vectors_ = 0, stack_ = 0;
};

}  // namespace

std::vector<KernelParameter> parameters_of(std::string_view demangled) {
  std::vector<KernelParameter> parameters;
  Places places;
  bool known = true;
  for (std::string_view type : types_in(demangled)) {
    KernelParameter& parameter = parameters.emplace_back();
    const auto argument = static_cast<std::uint32_t>(parameters.size() - 1);
    drop_qualifiers(type);
    ValueType passed{"pointer", 8, 8};
    // A reference is passed as an address.
    if (drop_suffix(type, "*") || drop_suffix(type, "&")) {
      parameter.is_pointer = true;
      parameter.to_const = drop_qualifiers(type);
      if (const ValueType* element = value_type(type))
        parameter.element_bytes = element->bytes;
      else if (type.ends_with('*'))
        parameter.element_bytes = 8;
    } else if (const ValueType* value = value_type(type)) {
      passed = *value;
    } else if (!type.ends_with(')')) {
      known = false;  // a structure, or an enumeration
    }
    if (!known) continue;
    parameter.bytes = passed.bytes;
    parameter.places = places.take(argument, passed);
  }
  return parameters;
}

}  // namespace histolab::kernels::program

#include "kernels/emulator/code/function_parameters.h"

#include <dwarf.h>

#include <algorithm>
#include <optional>

#include "kernels/emulator/arch/raw_arguments.h"
#include "kernels/emulator/code/debug_units.h"

namespace histolab::kernels::emulator {
namespace {

using Part = FunctionParameter::Part;

constexpr std::uint64_t bytes_per_part = 8, most_bytes_in_registers = 16;
constexpr std::uint64_t most_bytes = RawArguments::most_stack_bytes;
// Limits, because the entries of a damaged file may form a cycle.
constexpr int max_depth = 50;
constexpr std::uint64_t max_work = 1 << 22;

std::optional<std::uint64_t> number(Dwarf_Die& entry, unsigned attribute) {
  Dwarf_Attribute found;
  Dwarf_Word value = 0;
  if (dwarf_attr_integrate(&entry, attribute, &found) == nullptr ||
      dwarf_formudata(&found, &value) != 0)
    return std::nullopt;
  return value;
}

std::optional<Dwarf_Die> type_of(Dwarf_Die& entry) {
  Dwarf_Attribute found;
  Dwarf_Die type;
  if (dwarf_formref_die(dwarf_attr_integrate(&entry, DW_AT_type, &found), &type) == nullptr)
    return std::nullopt;
  return type;
}

std::optional<std::uint64_t> size_of(Dwarf_Die& type) {
  Dwarf_Word bytes = 0;
  if (dwarf_aggregate_size(&type, &bytes) == 0) return bytes;
  return dwarf_tag(&type) == DW_TAG_unspecified_type ? std::optional(bytes_per_part) : std::nullopt;
}

bool is_const(Dwarf_Die type) {
  for (int depth = 0; depth < max_depth; ++depth) {
    const int tag = dwarf_tag(&type);
    if (tag == DW_TAG_const_type) return true;
    if (tag != DW_TAG_typedef && tag != DW_TAG_volatile_type && tag != DW_TAG_restrict_type)
      return false;
    const std::optional<Dwarf_Die> next = type_of(type);
    if (!next) return false;
    type = *next;
  }
  return false;
}

// References are pointers here.
bool is_pointer(Dwarf_Die& type) {
  const int tag = dwarf_tag(&type);
  return tag == DW_TAG_pointer_type || tag == DW_TAG_reference_type ||
         tag == DW_TAG_rvalue_reference_type;
}

std::optional<Dwarf_Die> element_of(Dwarf_Die& pointer) {
  std::optional<Dwarf_Die> element = type_of(pointer);
  for (int depth = 0; element && dwarf_tag(&*element) == DW_TAG_array_type; ++depth)
    element = depth < max_depth ? type_of(*element) : std::nullopt;
  return element;
}

// Finds how a call passes a value of a type, and which pointers are in it.
class Classification {
 public:
  explicit Classification(FunctionParameter& to) : to_(to) {}

  // Adds the type at `offset` in the value.
  void add(Dwarf_Die type, std::uint64_t offset, int depth = 0) {
    if (depth > max_depth || ++work_ > max_work || dwarf_peel_type(&type, &type) != 0)
      return void(to_.is_known = false);
    switch (dwarf_tag(&type)) {
      case DW_TAG_structure_type:
      case DW_TAG_class_type:
      case DW_TAG_union_type: return add_members(type, offset, depth);
      case DW_TAG_array_type: return add_elements(type, offset, depth);
      default: break;
    }
    if (is_pointer(type)) {
      const std::optional<Dwarf_Die> element = element_of(type);
      to_.pointers.push_back({offset, element && is_const(*element)});
    }
    add_number(type, offset);
  }

 private:
  void add_members(Dwarf_Die& type, std::uint64_t offset, int depth) {
    note_alignment(number(type, DW_AT_alignment).value_or(1), offset);
    Dwarf_Die member;
    if (dwarf_child(&type, &member) != 0) return;
    do {
      const int tag = dwarf_tag(&member);
      if (tag != DW_TAG_member && tag != DW_TAG_inheritance) continue;
      if (dwarf_hasattr(&member, DW_AT_external)) continue;  // static
      const std::optional<Dwarf_Die> of = type_of(member);
      if (!of) return void(to_.is_known = false);
      if (const auto bit = number(member, DW_AT_data_bit_offset))
        mark(offset + *bit / 8, 1, Part::integer);
      else
        add(*of, offset + number(member, DW_AT_data_member_location).value_or(0), depth + 1);
    } while (dwarf_siblingof(&member, &member) == 0);
  }

  void add_elements(Dwarf_Die& type, std::uint64_t offset, int depth) {
    std::optional<Dwarf_Die> of = type_of(type);
    const std::uint64_t all = size_of(type).value_or(0), each = of ? size_of(*of).value_or(0) : 0;
    if (each > 0)
      for (std::uint64_t at = 0; at + each <= std::min(all, most_bytes); at += each)
        add(*of, offset + at, depth + 1);
  }

  void add_number(Dwarf_Die& type, std::uint64_t offset) {
    const std::uint64_t bytes = size_of(type).value_or(0);
    const std::uint64_t encoding = number(type, DW_AT_encoding).value_or(0);
    const bool is_complex = encoding == DW_ATE_complex_float;
    const bool is_floating = encoding == DW_ATE_float || is_complex;
    const std::uint64_t natural = is_complex ? bytes / 2 : bytes;
    if (bytes == 0) return void(to_.is_known = false);
    if (is_floating && natural > bytes_per_part) to_.in_memory = true;  // long double
    note_alignment(number(type, DW_AT_alignment).value_or(natural), offset);
    mark(offset, bytes, is_floating ? Part::floating : Part::integer);
  }

  void note_alignment(std::uint64_t alignment, std::uint64_t offset) {
    if (alignment == 0 || alignment > 4096) return void(to_.is_known = false);
    to_.alignment = std::max(to_.alignment, static_cast<std::uint32_t>(alignment));
    if (offset % alignment != 0) to_.in_memory = true;
  }

  void mark(std::uint64_t offset, std::uint64_t bytes, Part part) {
    for (std::uint64_t at = offset / bytes_per_part;
         at < to_.parts.size() && at * bytes_per_part < offset + bytes; ++at)
      to_.parts[at] = std::max(to_.parts[at], part);
  }

  FunctionParameter& to_;
  std::uint64_t work_ = 0;
};

FunctionParameter parameter_of(Dwarf_Die& entry) {
  FunctionParameter parameter;
  if (const char* const name = dwarf_diename(&entry)) parameter.name = name;
  std::optional<Dwarf_Die> declared = type_of(entry);
  Dwarf_Die type;
  if (!declared || dwarf_peel_type(&*declared, &type) != 0) return parameter;
  parameter.is_pointer = is_pointer(type);
  if (parameter.is_pointer) {
    std::optional<Dwarf_Die> element = element_of(type);
    parameter.to_const = element && is_const(*element);
    parameter.element_bytes = element ? size_of(*element).value_or(0) : 0;
  }
  const std::optional<std::uint64_t> bytes = size_of(type);
  if (!bytes) return parameter;
  parameter.is_known = true;
  parameter.bytes = *bytes;
  parameter.by_reference =
      number(type, DW_AT_calling_convention) == std::uint64_t{DW_CC_pass_by_reference};
  if (parameter.by_reference) return parameter;
  parameter.in_memory = *bytes > most_bytes_in_registers;
  if (!parameter.in_memory)
    parameter.parts.resize((*bytes + bytes_per_part - 1) / bytes_per_part, Part::nothing);
  Classification(parameter).add(type, 0);
  if (parameter.in_memory) parameter.parts.clear();
  return parameter;
}

class ParameterReader {
 public:
  explicit ParameterReader(const std::set<std::uint64_t>& functions) : functions_(functions) {}

  void visit_children(Dwarf_Die& parent, int depth = 0) {
    Dwarf_Die entry;
    if (depth > max_depth || dwarf_child(&parent, &entry) != 0) return;
    do {
      if (++work_ > max_work) return;
      const int tag = dwarf_tag(&entry);
      if (tag == DW_TAG_namespace) visit_children(entry, depth + 1);
      if (tag != DW_TAG_subprogram) continue;
      Dwarf_Addr address = 0;
      if (dwarf_lowpc(&entry, &address) == 0 && functions_.contains(address)) read(entry, address);
    } while (dwarf_siblingof(&entry, &entry) == 0);
  }

  std::map<std::uint64_t, std::vector<FunctionParameter>> found;

 private:
  void read(Dwarf_Die& function, std::uint64_t address) {
    std::vector<FunctionParameter>& parameters = found[address];
    if (parameters.empty()) add_children(function, parameters);
  }

  void add_children(Dwarf_Die& parent, std::vector<FunctionParameter>& parameters) {
    Dwarf_Die entry;
    if (dwarf_child(&parent, &entry) != 0) return;
    do {
      if (++work_ > max_work) return;
      const int tag = dwarf_tag(&entry);
      if (tag == DW_TAG_formal_parameter) parameters.push_back(parameter_of(entry));
      if (tag == DW_TAG_GNU_formal_parameter_pack && dwarf_tag(&parent) == DW_TAG_subprogram)
        add_children(entry, parameters);
    } while (dwarf_siblingof(&entry, &entry) == 0);
  }

  const std::set<std::uint64_t>& functions_;
  std::uint64_t work_ = 0;
};

}  // namespace

std::map<std::uint64_t, std::vector<FunctionParameter>> function_parameters(
    std::span<const std::uint8_t> elf, const std::set<std::uint64_t>& functions) {
  ParameterReader reader(functions);
  for_each_unit(elf, [&](Dwarf_Die& unit) { reader.visit_children(unit); });
  return std::move(reader.found);
}

}  // namespace histolab::kernels::emulator

#include "kernels/emulator/code/code_section.h"

#include <algorithm>

namespace histolab::kernels::emulator {

const Relocation* CodeInstruction::relocation_in(std::uint32_t from, std::uint32_t to) const {
  for (const Relocation& relocation : relocations)
    if (relocation.offset >= from && relocation.offset < to) return &relocation;
  return nullptr;
}

bool CodeInstruction::relocations_are_fields() const {
  const Relocation* last = nullptr;
  for (const Relocation& relocation : relocations) {
    if (!fills_a_field(relocation, *this)) return false;
    if (last != nullptr && last->offset == relocation.offset) return false;
    last = &relocation;
  }
  return true;
}

std::optional<std::uint32_t> CodeInstruction::target() const {
  if (!to_target || !relocations.empty()) return std::nullopt;
  return static_cast<std::uint32_t>(end + *to_target);
}

std::optional<std::uint32_t> CodeInstruction::own_place() const {
  const std::uint32_t field = at + displacement.offset;
  if (!to_place || relocation_in(field, field + displacement.bytes) != nullptr) return std::nullopt;
  return static_cast<std::uint32_t>(end + *to_place);
}

MemoryPlace CodeInstruction::place_of(const Operand& operand) const {
  constexpr std::uint32_t relocated_bytes = 4;  // no relocation of another size fills one
  MemoryPlace place{operand.memory};
  const std::uint32_t field = at + displacement.offset;
  if (displacement.bytes != relocated_bytes) return place;
  if (const Relocation* relocation = relocation_in(field, field + relocated_bytes))
    place.relocation = *relocation;
  return place;
}

const Relocation* CodeInstruction::relocation_of_immediate() const {
  return relocation_in(at + immediates[0].offset, end);
}

CodeSection::CodeSection(const ObjectFile& object, std::uint32_t number)
    : section_(object.sections()[number]), relocations_(object.relocations(number)) {
  std::ranges::sort(relocations_, {}, &Relocation::offset);
}

bool CodeSection::decode(std::uint32_t at, Detail detail, CodeInstruction& instruction) const {
  const bool decoded = section_.data != nullptr &&
                       emulator::decode({section_.data, section_.bytes}, at, detail, instruction);
  if (!decoded) return false;
  const auto first = std::ranges::lower_bound(relocations_, at, {}, &Relocation::offset);
  auto last = first;
  while (last != relocations_.end() && last->offset < instruction.end) ++last;
  instruction.relocations = {first, last};
  return true;
}

bool CodeSection::reads_flags_from(std::uint32_t at) const {
  using enum Instruction::Flow;
  std::uint16_t open = status_flags;
  for (CodeInstruction next; at < section_.bytes; at = next.end) {
    if (!decode(at, Detail::flow, next)) return true;
    if (next.flow == call) return false;
    if ((next.flags_read & open) != 0) return true;
    open &= static_cast<std::uint16_t>(~next.flags_written);
    if (open == 0) return false;
    if (next.flow == jump) return next.target().has_value();
    if (next.flow == branch) return true;
  }
  return true;
}

}  // namespace histolab::kernels::emulator

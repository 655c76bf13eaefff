#include "kernels/emulator/arch/relocation.h"

#include <elf.h>

#include <cstring>

namespace histolab::kernels::emulator {

RelocationKind kind_of(const Relocation& relocation) {
  using enum RelocationKind::Value;
  switch (relocation.type) {
    case R_X86_64_NONE: return {none, 4, false};
    case R_X86_64_64: return {address, 8, false};
    case R_X86_64_32: return {address, 4, false};
    case R_X86_64_32S: return {address, 4, true};
    case R_X86_64_PC32: return {distance, 4, true};
    case R_X86_64_PC64: return {distance, 8, false};
    case R_X86_64_PLT32: return {call_distance, 4, true};
    case R_X86_64_TPOFF32: return {thread_offset, 4, true};
    case R_X86_64_TPOFF64: return {thread_offset, 8, false};
    case R_X86_64_GOTPCREL:
    case R_X86_64_GOTPCRELX:
    case R_X86_64_REX_GOTPCRELX: return {word_of_address, 4, true};
    case R_X86_64_GOTTPOFF: return {word_of_thread_offset, 4, true};
    case R_X86_64_DTPOFF32: return {debug_offset, 4, true};
    case R_X86_64_DTPOFF64: return {debug_offset, 8, false};
    default: return {};
  }
}

bool fills_a_field(const Relocation& relocation, const Instruction& instruction) {
  using enum RelocationKind::Value;
  const RelocationKind kind = kind_of(relocation);
  const auto is_it = [&](const InstructionField& field) {
    return field.bytes != 0 && field.bytes == kind.bytes &&
           relocation.offset == instruction.at + std::uint64_t{field.offset};
  };
  if (!is_it(instruction.displacement))
    return is_it(instruction.immediates[0]) || is_it(instruction.immediates[1]);
  // A displacement that counts from the instruction's end needs a relocation that counts from the
  // field, and any other displacement must not have one. Otherwise an instruction, its check, and
  // another instruction with the same relocation would refer to different addresses.
  const bool counts_from_end = instruction.to_place.has_value();
  if (kind.counts_from_place() || counts_from_end)
    return kind.counts_from_place() && counts_from_end;
  return kind.bytes == 4 && (kind.value == address || kind.value == thread_offset);
}

bool write_field(std::uint8_t* field, RelocationKind kind, std::uint64_t value) {
  if (kind.bytes == 8) {
    std::memcpy(field, &value, 8);
    return true;
  }
  const auto wide = static_cast<std::int64_t>(value);
  const bool fits = kind.is_signed ? wide == static_cast<std::int32_t>(wide)
                                   : value == static_cast<std::uint32_t>(value);
  if (!fits) return false;
  const auto narrow = static_cast<std::uint32_t>(value);
  std::memcpy(field, &narrow, 4);
  return true;
}

bool is_for_this_processor(std::uint16_t e_machine) { return e_machine == EM_X86_64; }

}  // namespace histolab::kernels::emulator

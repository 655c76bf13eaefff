#include "kernels/emulator/code/code_section.h"

#include <elf.h>

#include <algorithm>

namespace histolab::kernels::emulator {
namespace {

constexpr std::uint32_t status_flags =
    ZYDIS_CPUFLAG_CF | ZYDIS_CPUFLAG_PF | ZYDIS_CPUFLAG_ZF | ZYDIS_CPUFLAG_SF | ZYDIS_CPUFLAG_OF;

// Returns the size of the field that the relocation fills, in bytes. The loader refuses unknown
// types (module_links.cpp).
std::uint32_t bytes_of(const Relocation& relocation) {
  switch (relocation.type) {
    case R_X86_64_64:
    case R_X86_64_PC64:
    case R_X86_64_TPOFF64: return 8;
    case R_X86_64_8:
    case R_X86_64_PC8: return 1;
    case R_X86_64_16:
    case R_X86_64_PC16: return 2;
    default: return 4;
  }
}

// Returns whether the value depends on the address of the field. A displacement that counts from
// the instruction's end needs such a relocation, and any other displacement must not have one.
// Otherwise an instruction, its check, and another instruction with the same relocation would
// refer to different addresses.
bool counts_from_place(const Relocation& relocation) {
  switch (relocation.type) {
    case R_X86_64_PC32:
    case R_X86_64_PLT32: return true;
    default: return is_loaders_word(relocation);
  }
}

bool counts_from_end(const CodeInstruction& instruction) {
  const auto& raw = instruction.code.raw;
  return (instruction.code.attributes & ZYDIS_ATTRIB_HAS_MODRM) != 0 && raw.modrm.mod == 0 &&
         raw.modrm.rm == 5 && raw.disp.size == 32;
}

bool is_relative(const ZydisDecodedInstruction& instruction) {
  return (instruction.attributes & ZYDIS_ATTRIB_IS_RELATIVE) != 0 &&
         instruction.raw.imm[0].is_relative;
}

}  // namespace

CodeSection::CodeSection(const ObjectFile& object, std::uint32_t number)
    : section_(object.sections()[number]), relocations_(object.relocations(number)) {
  ZydisDecoderInit(&decoder_, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64);
  std::ranges::sort(relocations_, {}, &Relocation::offset);
}

bool CodeSection::decode(std::uint32_t at, CodeInstruction& instruction, bool with_operands) const {
  if (section_.data == nullptr || at >= section_.bytes) return false;
  const std::uint8_t* const code = section_.data + at;
  const ZyanStatus status =
      with_operands ? ZydisDecoderDecodeFull(&decoder_, code, section_.bytes - at,
                                             &instruction.code, instruction.all_operands.data())
                    : ZydisDecoderDecodeInstruction(&decoder_, nullptr, code, section_.bytes - at,
                                                    &instruction.code);
  instruction.at = at;
  instruction.end = at + instruction.code.length;
  return ZYAN_SUCCESS(status);
}

const Relocation* CodeSection::relocation_in(std::uint32_t begin, std::uint32_t end) const {
  const auto found = relocations_in(begin, end);
  return found.empty() ? nullptr : &found.front();
}

std::span<const Relocation> CodeSection::relocations_in(std::uint32_t begin,
                                                        std::uint32_t end) const {
  const auto first = std::ranges::lower_bound(relocations_, begin, {}, &Relocation::offset);
  auto last = first;
  while (last != relocations_.end() && last->offset < end) ++last;
  return {first, last};
}

bool CodeSection::relocations_are_fields(const CodeInstruction& instruction) const {
  const Relocation* last = nullptr;
  for (const Relocation& relocation : relocations_in(instruction.at, instruction.end)) {
    const auto is_it = [&](const auto& field) {
      return field.size == 8 * bytes_of(relocation) &&
             relocation.offset == instruction.at + std::uint64_t{field.offset};
    };
    const auto& raw = instruction.code.raw;
    const bool is_displacement = is_it(raw.disp);
    if (!is_displacement && !is_it(raw.imm[0]) && !is_it(raw.imm[1])) return false;
    if (is_displacement && counts_from_place(relocation) != counts_from_end(instruction))
      return false;
    if (is_displacement && !counts_from_place(relocation) && relocation.type != R_X86_64_32 &&
        relocation.type != R_X86_64_32S && relocation.type != R_X86_64_TPOFF32)
      return false;
    if (last != nullptr && last->offset == relocation.offset) return false;
    last = &relocation;
  }
  return true;
}

std::optional<std::uint32_t> CodeSection::target_of(const CodeInstruction& instruction) const {
  if (!is_relative(instruction.code) || relocation_in(instruction.at, instruction.end) != nullptr)
    return std::nullopt;
  return static_cast<std::uint32_t>(instruction.end + instruction.code.raw.imm[0].value.s);
}

std::optional<std::uint32_t> CodeSection::own_place_of(const CodeInstruction& instruction) const {
  const auto& raw = instruction.code.raw;
  if (!counts_from_end(instruction) ||
      relocation_in(instruction.at + raw.disp.offset, instruction.at + raw.disp.offset + 4) !=
          nullptr)
    return std::nullopt;
  return static_cast<std::uint32_t>(instruction.end + raw.disp.value);
}

MemoryPlace CodeSection::place_of(const CodeInstruction& instruction,
                                  const ZydisDecodedOperand& operand) const {
  MemoryPlace place;
  place.to_next = operand.mem.base == ZYDIS_REGISTER_RIP;
  place.base =
      operand.mem.base == ZYDIS_REGISTER_NONE || place.to_next ? -1 : number_of(operand.mem.base);
  place.index = operand.mem.index == ZYDIS_REGISTER_NONE ? -1 : number_of(operand.mem.index);
  place.scale = operand.mem.scale == 0 ? 1 : operand.mem.scale;
  place.displacement =
      operand.mem.disp.has_displacement ? static_cast<std::int32_t>(operand.mem.disp.value) : 0;
  place.in_thread_storage = operand.mem.segment == ZYDIS_REGISTER_FS;
  const auto& field = instruction.code.raw.disp;
  if (field.size == 32)
    if (const Relocation* relocation =
            relocation_in(instruction.at + field.offset, instruction.at + field.offset + 4))
      place.relocation = *relocation;
  return place;
}

bool CodeSection::reads_flags_from(std::uint32_t at) const {
  std::uint32_t open = status_flags;
  for (CodeInstruction next; at < section_.bytes; at = next.end) {
    if (!decode(at, next, false)) return true;
    if (next.code.meta.category == ZYDIS_CATEGORY_CALL) return false;
    if (const auto* flags = next.code.cpu_flags; flags != nullptr) {
      if ((flags->tested & open) != 0) return true;
      open &= ~(flags->modified | flags->set_0 | flags->set_1 | flags->undefined);
    }
    if (open == 0) return false;
    if (next.code.meta.category == ZYDIS_CATEGORY_UNCOND_BR) return target_of(next).has_value();
    if (next.code.meta.category == ZYDIS_CATEGORY_COND_BR) return true;
  }
  return true;
}

bool is_loaders_word(const Relocation& relocation) {
  switch (relocation.type) {
    case R_X86_64_GOTPCREL:
    case R_X86_64_GOTPCRELX:
    case R_X86_64_REX_GOTPCRELX:
    case R_X86_64_GOTTPOFF: return true;
    default: return false;
  }
}

bool is_allowed(const ZydisDecodedInstruction& instruction) {
  // With a 16-bit operand size a branch is shorter on AMD's processors than on Intel's. The bytes
  // that follow would be decoded differently.
  if (is_relative(instruction) && (instruction.attributes & ZYDIS_ATTRIB_HAS_OPERANDSIZE) != 0)
    return false;
  switch (instruction.meta.category) {
    case ZYDIS_CATEGORY_BINARY:
    case ZYDIS_CATEGORY_BITBYTE:
    case ZYDIS_CATEGORY_CALL:
    case ZYDIS_CATEGORY_CMOV:
    case ZYDIS_CATEGORY_COND_BR:
    case ZYDIS_CATEGORY_CONVERT:
    case ZYDIS_CATEGORY_DATAXFER:
    case ZYDIS_CATEGORY_FCMOV:
    case ZYDIS_CATEGORY_LOGICAL:
    case ZYDIS_CATEGORY_LOGICAL_FP:
    case ZYDIS_CATEGORY_NOP:
    case ZYDIS_CATEGORY_POP:
    case ZYDIS_CATEGORY_PUSH:
    case ZYDIS_CATEGORY_ROTATE:
    case ZYDIS_CATEGORY_SEMAPHORE:
    case ZYDIS_CATEGORY_SETCC:
    case ZYDIS_CATEGORY_SHIFT:
    case ZYDIS_CATEGORY_SSE:
    case ZYDIS_CATEGORY_UNCOND_BR:
    case ZYDIS_CATEGORY_WIDENOP:
    case ZYDIS_CATEGORY_X87_ALU: break;
    case ZYDIS_CATEGORY_MISC:
      return instruction.mnemonic == ZYDIS_MNEMONIC_LEA ||
             instruction.mnemonic == ZYDIS_MNEMONIC_LEAVE ||
             instruction.mnemonic == ZYDIS_MNEMONIC_UD2;
    case ZYDIS_CATEGORY_FLAGOP:  // not std and cld: the runtime relies on the direction flag
      return instruction.mnemonic == ZYDIS_MNEMONIC_CMC ||
             instruction.mnemonic == ZYDIS_MNEMONIC_STC ||
             instruction.mnemonic == ZYDIS_MNEMONIC_CLC;
    // Encoded as `rep bsf`, which older processors run as bsf. The two differ only for 0, which the
    // compiler tests for.
    case ZYDIS_CATEGORY_BMI1: return instruction.mnemonic == ZYDIS_MNEMONIC_TZCNT;
    default: return instruction.mnemonic == ZYDIS_MNEMONIC_UD2;
  }
  switch (instruction.mnemonic) {
    case ZYDIS_MNEMONIC_PUSHF:
    case ZYDIS_MNEMONIC_PUSHFD:
    case ZYDIS_MNEMONIC_PUSHFQ:  // the pushed value is not their first operand
    case ZYDIS_MNEMONIC_POPF:
    case ZYDIS_MNEMONIC_POPFD:
    case ZYDIS_MNEMONIC_POPFQ:
    case ZYDIS_MNEMONIC_LDMXCSR:
    case ZYDIS_MNEMONIC_FXRSTOR:
    case ZYDIS_MNEMONIC_FRSTOR:
    case ZYDIS_MNEMONIC_FLDENV:
    case ZYDIS_MNEMONIC_FNSAVE:
    case ZYDIS_MNEMONIC_FNSTENV:
    case ZYDIS_MNEMONIC_FLDCW:
    case ZYDIS_MNEMONIC_FNINIT:
    case ZYDIS_MNEMONIC_FNCLEX: return false;
    default: return true;
  }
}

bool is_branch_on_flags(const ZydisDecodedInstruction& instruction) {
  const int high = instruction.opcode & 0xf0;
  return instruction.opcode_map == ZYDIS_OPCODE_MAP_DEFAULT
             ? high == 0x70
             : instruction.opcode_map == ZYDIS_OPCODE_MAP_0F && high == 0x80;
}

int number_of(ZydisRegister reg) {
  const ZydisRegister whole = ZydisRegisterGetLargestEnclosing(ZYDIS_MACHINE_MODE_LONG_64, reg);
  return whole >= ZYDIS_REGISTER_RAX && whole <= ZYDIS_REGISTER_R15 ? whole - ZYDIS_REGISTER_RAX
                                                                    : -1;
}

}  // namespace histolab::kernels::emulator

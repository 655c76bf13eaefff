// Decodes x86-64 by Zydis. No other file of the emulator includes it.
#include "kernels/emulator/arch/decoder.h"

#include <Zydis/Zydis.h>

namespace histolab::kernels::emulator {
namespace {

constexpr std::size_t most_operands = ZYDIS_MAX_OPERAND_COUNT;
static_assert(Instruction{}.all_operands.size() == most_operands);
static_assert(status_flags == (ZYDIS_CPUFLAG_CF | ZYDIS_CPUFLAG_PF | ZYDIS_CPUFLAG_ZF |
                               ZYDIS_CPUFLAG_SF | ZYDIS_CPUFLAG_OF));

using Operands = std::span<const ZydisDecodedOperand>;

const ZydisDecoder& decoder() {
  static const ZydisDecoder made = [] {
    ZydisDecoder decoder;
    ZydisDecoderInit(&decoder, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64);
    return decoder;
  }();
  return made;
}

bool has(const ZydisDecodedInstruction& code, ZydisInstructionAttributes attributes) {
  return (code.attributes & attributes) != 0;
}

bool is_relative(const ZydisDecodedInstruction& code) {
  return has(code, ZYDIS_ATTRIB_IS_RELATIVE) && code.raw.imm[0].is_relative;
}

// The displacement counts from the end of the instruction.
bool counts_from_end(const ZydisDecodedInstruction& code) {
  return has(code, ZYDIS_ATTRIB_HAS_MODRM) && code.raw.modrm.mod == 0 && code.raw.modrm.rm == 5 &&
         code.raw.disp.size == 32;
}

// A jcc. No other conditional branch has a long form, which moved code needs (code_writer.h).
bool is_branch_on_flags(const ZydisDecodedInstruction& code) {
  const int high = code.opcode & 0xf0;
  return code.opcode_map == ZYDIS_OPCODE_MAP_DEFAULT
             ? high == 0x70
             : code.opcode_map == ZYDIS_OPCODE_MAP_0F && high == 0x80;
}

bool is_no_operation(const ZydisDecodedInstruction& code) {
  return code.meta.category == ZYDIS_CATEGORY_NOP || code.meta.category == ZYDIS_CATEGORY_WIDENOP;
}

Instruction::Flow flow_of(const ZydisDecodedInstruction& code) {
  using enum Instruction::Flow;
  switch (code.meta.category) {
    case ZYDIS_CATEGORY_UNCOND_BR: return jump;
    case ZYDIS_CATEGORY_COND_BR: return branch;
    case ZYDIS_CATEGORY_CALL: return call;
    case ZYDIS_CATEGORY_RET: return ret;
    case ZYDIS_CATEGORY_INTERRUPT: return stop;
    default: return code.mnemonic == ZYDIS_MNEMONIC_UD2 ? stop : next;
  }
}

Instruction::Operation operation_of(const ZydisDecodedInstruction& code) {
  using enum Instruction::Operation;
  switch (code.mnemonic) {
    case ZYDIS_MNEMONIC_MOV: return copy;
    case ZYDIS_MNEMONIC_MOVSXD: return extend_signed;
    case ZYDIS_MNEMONIC_MOVZX: return extend_unsigned;
    case ZYDIS_MNEMONIC_LEA: return address;
    case ZYDIS_MNEMONIC_ADD: return add;
    case ZYDIS_MNEMONIC_SUB: return subtract;
    case ZYDIS_MNEMONIC_AND: return bit_and;
    case ZYDIS_MNEMONIC_PUSH: return push;
    case ZYDIS_MNEMONIC_POP: return pop;
    case ZYDIS_MNEMONIC_LEAVE: return leave;
    default: return code.meta.category == ZYDIS_CATEGORY_SETCC ? set_by_flags : other;
  }
}

bool is_allowed(const ZydisDecodedInstruction& code) {
  // With a 16-bit operand size a branch is shorter on AMD's processors than on Intel's. The bytes
  // that follow would be decoded differently.
  if (is_relative(code) && has(code, ZYDIS_ATTRIB_HAS_OPERANDSIZE)) return false;
  switch (code.meta.category) {
    case ZYDIS_CATEGORY_BINARY:
    case ZYDIS_CATEGORY_BITBYTE:
    case ZYDIS_CATEGORY_CALL:
    case ZYDIS_CATEGORY_CMOV:
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
    case ZYDIS_CATEGORY_COND_BR: return is_branch_on_flags(code);
    case ZYDIS_CATEGORY_MISC:
      return code.mnemonic == ZYDIS_MNEMONIC_LEA || code.mnemonic == ZYDIS_MNEMONIC_LEAVE ||
             code.mnemonic == ZYDIS_MNEMONIC_UD2;
    case ZYDIS_CATEGORY_FLAGOP:  // not std and cld: the runtime relies on the direction flag
      return code.mnemonic == ZYDIS_MNEMONIC_CMC || code.mnemonic == ZYDIS_MNEMONIC_STC ||
             code.mnemonic == ZYDIS_MNEMONIC_CLC;
    // Encoded as `rep bsf`, which older processors run as bsf. The two differ only for 0, which the
    // compiler tests for.
    case ZYDIS_CATEGORY_BMI1: return code.mnemonic == ZYDIS_MNEMONIC_TZCNT;
    default: return code.mnemonic == ZYDIS_MNEMONIC_UD2;
  }
  switch (code.mnemonic) {
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

bool writes_a_segment(Operands operands) {
  for (const ZydisDecodedOperand& operand : operands)
    if (operand.type == ZYDIS_OPERAND_TYPE_REGISTER &&
        ZydisRegisterGetClass(operand.reg.value) == ZYDIS_REGCLASS_SEGMENT &&
        (operand.actions & ZYDIS_OPERAND_ACTION_MASK_WRITE) != 0)
      return true;
  return false;
}

bool zeroes(const ZydisDecodedInstruction& code, Operands operands) {
  switch (code.mnemonic) {
    case ZYDIS_MNEMONIC_XOR:
    case ZYDIS_MNEMONIC_SUB:
    case ZYDIS_MNEMONIC_PXOR:
    case ZYDIS_MNEMONIC_XORPS: break;
    default: return false;
  }
  return operands[0].type == ZYDIS_OPERAND_TYPE_REGISTER &&
         operands[1].type == ZYDIS_OPERAND_TYPE_REGISTER &&
         operands[0].reg.value == operands[1].reg.value;
}

int general_register(ZydisRegister reg) {
  const ZydisRegister whole = ZydisRegisterGetLargestEnclosing(ZYDIS_MACHINE_MODE_LONG_64, reg);
  return whole >= ZYDIS_REGISTER_RAX && whole <= ZYDIS_REGISTER_R15 ? whole - ZYDIS_REGISTER_RAX
                                                                    : no_register;
}

int number_of(ZydisRegister reg) {
  if (const int general = general_register(reg); general != no_register) return general;
  switch (ZydisRegisterGetClass(reg)) {
    case ZYDIS_REGCLASS_XMM:
    case ZYDIS_REGCLASS_YMM: return first_vector + ZydisRegisterGetId(reg) % 32;
    case ZYDIS_REGCLASS_FLAGS: return flags_register;
    default: return no_register;
  }
}

// The second byte of a register, such as ah.
bool is_second_byte(ZydisRegister reg) {
  return reg >= ZYDIS_REGISTER_AH && reg <= ZYDIS_REGISTER_BH;
}

// A bit's number in a register may select other bytes than those of the operand.
bool selects_other_bytes(const ZydisDecodedInstruction& code, Operands operands) {
  return code.meta.category == ZYDIS_CATEGORY_BITBYTE && code.mnemonic >= ZYDIS_MNEMONIC_BT &&
         code.mnemonic <= ZYDIS_MNEMONIC_BTS && operands.size() > 1 &&
         operands[0].type == ZYDIS_OPERAND_TYPE_MEMORY &&
         operands[1].type == ZYDIS_OPERAND_TYPE_REGISTER;
}

MemoryOperand memory_of(const ZydisDecodedInstruction& code, Operands operands,
                        const ZydisDecodedOperand& operand) {
  const ZydisDecodedOperandMem& mem = operand.mem;
  MemoryOperand memory;
  memory.to_next = mem.base == ZYDIS_REGISTER_RIP;
  memory.base = general_register(mem.base);
  memory.index = general_register(mem.index);
  memory.scale = mem.scale == 0 ? std::uint8_t{1} : mem.scale;
  memory.displacement = mem.disp.has_displacement ? static_cast<std::int32_t>(mem.disp.value) : 0;
  memory.in_thread_storage = mem.segment == ZYDIS_REGISTER_FS;
  memory.is_narrow = code.address_width != 64;
  const bool has_other_register =
      (mem.index != ZYDIS_REGISTER_NONE && memory.index == no_register) ||
      (mem.base != ZYDIS_REGISTER_NONE && !memory.to_next && memory.base == no_register);
  constexpr std::uint8_t whole_address = 64;  // the instruction contains the address itself
  memory.is_unusual =
      memory.is_narrow || has_other_register || mem.segment == ZYDIS_REGISTER_GS ||
      code.raw.disp.size == whole_address || selects_other_bytes(code, operands) ||
      has(code, ZYDIS_ATTRIB_HAS_REP | ZYDIS_ATTRIB_HAS_REPE | ZYDIS_ATTRIB_HAS_REPNE);
  return memory;
}

Operand operand_of(const ZydisDecodedInstruction& code, Operands operands,
                   const ZydisDecodedOperand& from) {
  Operand operand;
  operand.reads = (from.actions & ZYDIS_OPERAND_ACTION_MASK_READ) != 0;
  operand.writes = (from.actions & ZYDIS_OPERAND_ACTION_MASK_WRITE) != 0;
  operand.may_keep = (from.actions & ZYDIS_OPERAND_ACTION_CONDWRITE) != 0;
  operand.bytes = from.size / 8;
  switch (from.type) {
    case ZYDIS_OPERAND_TYPE_REGISTER:
      operand.type = Operand::Type::reg;
      operand.reg = number_of(from.reg.value);
      operand.first_byte = is_second_byte(from.reg.value) ? 1 : 0;
      break;
    case ZYDIS_OPERAND_TYPE_MEMORY:
      operand.type =
          from.mem.type == ZYDIS_MEMOP_TYPE_AGEN ? Operand::Type::address : Operand::Type::memory;
      operand.memory = memory_of(code, operands, from);
      break;
    case ZYDIS_OPERAND_TYPE_IMMEDIATE:
      operand.type = Operand::Type::immediate;
      operand.immediate = from.imm.value.s;
      break;
    default: break;
  }
  return operand;
}

void describe_flow(const ZydisDecodedInstruction& code, Instruction& instruction) {
  instruction.end = instruction.at + code.length;
  instruction.flow = flow_of(code);
  instruction.to_target.reset();
  instruction.to_place.reset();
  if (is_relative(code)) instruction.to_target = code.raw.imm[0].value.s;
  if (counts_from_end(code)) instruction.to_place = code.raw.disp.value;
  const auto field = [](const auto& raw) {
    return InstructionField{raw.offset, static_cast<std::uint8_t>(raw.size / 8)};
  };
  instruction.displacement = field(code.raw.disp);
  instruction.immediates = {field(code.raw.imm[0]), field(code.raw.imm[1])};
  instruction.flags_read = instruction.flags_written = 0;
  if (const auto* flags = code.cpu_flags; flags != nullptr) {
    const auto written = flags->modified | flags->set_0 | flags->set_1 | flags->undefined;
    instruction.flags_read = static_cast<std::uint16_t>(flags->tested & status_flags);
    instruction.flags_written = static_cast<std::uint16_t>(written & status_flags);
  }
}

void describe_operands(const ZydisDecodedInstruction& code, Operands operands,
                       Instruction& instruction) {
  instruction.operation = operation_of(code);
  instruction.is_allowed = is_allowed(code) && !writes_a_segment(operands);
  instruction.zeroes = zeroes(code, operands);
  instruction.width = code.operand_width / 8;
  instruction.operand_count = 0;
  if (is_no_operation(code)) return;
  for (const ZydisDecodedOperand& operand : operands)
    instruction.all_operands[instruction.operand_count++] = operand_of(code, operands, operand);
}

}  // namespace

bool decode(std::span<const std::uint8_t> code, std::uint32_t at, Detail detail,
            Instruction& instruction) {
  instruction.at = instruction.end = at;
  instruction.flow = Instruction::Flow::invalid;
  if (at >= code.size()) return false;
  const std::span<const std::uint8_t> bytes = code.subspan(at);
  ZydisDecodedInstruction decoded;
  if (detail == Detail::flow) {
    if (!ZYAN_SUCCESS(ZydisDecoderDecodeInstruction(&decoder(), nullptr, bytes.data(), bytes.size(),
                                                    &decoded)))
      return false;
    describe_flow(decoded, instruction);
    return true;
  }
  ZydisDecodedOperand operands[most_operands];
  if (!ZYAN_SUCCESS(
          ZydisDecoderDecodeFull(&decoder(), bytes.data(), bytes.size(), &decoded, operands)))
    return false;
  describe_flow(decoded, instruction);
  describe_operands(decoded, {operands, decoded.operand_count}, instruction);
  return true;
}

}  // namespace histolab::kernels::emulator

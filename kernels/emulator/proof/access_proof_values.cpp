// AccessProver: the known values that instructions leave in registers and on the stack.
#include <elf.h>

#include "kernels/emulator/proof/access_prover.h"

namespace histolab::kernels::emulator {

CodeValue AccessProver::value_of(const MemoryPlace& place) {
  CodeValue value{0, place.displacement};
  if (place.relocation) {
    const Relocation& relocation = *place.relocation;
    const std::int64_t to_end =
        place.to_next ? static_cast<std::int64_t>(now_.end - relocation.offset) : 0;
    const bool is_exact =
        place.to_next ? !is_loaders_word(relocation)
                      : relocation.type == R_X86_64_32S || relocation.type == R_X86_64_TPOFF32;
    if (!is_exact) return values_.unknown();
    value = values_.with_symbol({0, relocation.addend + to_end}, relocation.symbol,
                                place.to_next ? R_X86_64_PC32 : relocation.type);
  } else if (place.to_next) {
    return values_.unknown();
  }
  if (place.base >= 0) value = values_.sum(value, values_.get(place.base), 1);
  if (place.index >= 0) value = values_.sum(value, values_.get(place.index), place.scale);
  if (place.in_thread_storage) value = values_.sum(value, {BlockValues::thread_pointer, 0}, 1);
  return value;
}

CodeValue AccessProver::load(const StackWord& word) {
  return aligned_depth_ != not_aligned ? values_.unknown() : values_.load(word.offset, word.bytes);
}

bool AccessProver::is_thread_pointer(const ZydisDecodedOperand& operand) const {
  const MemoryPlace place = code_.place_of(now_, operand);
  return place.in_thread_storage && place.base < 0 && place.index < 0 && place.displacement == 0 &&
         !place.relocation;
}

CodeValue AccessProver::immediate(const ZydisDecodedOperand& operand) {
  const std::uint32_t begin = now_.at + now_.code.raw.imm[0].offset;
  const bool narrow = operand.size == 32 && operands_[0].size == 32;
  if (const Relocation* relocation = code_.relocation_in(begin, now_.end)) {
    // The value is known only if the field, as the instruction extends it, is the relocation's sum.
    const bool wide = now_.code.raw.imm[0].size == 64;
    const bool is_exact =
        wide     ? relocation->type == R_X86_64_64 || relocation->type == R_X86_64_TPOFF64
        : narrow ? relocation->type == R_X86_64_32
                 : relocation->type == R_X86_64_32S || relocation->type == R_X86_64_TPOFF32;
    return is_exact
               ? values_.with_symbol({0, relocation->addend}, relocation->symbol, relocation->type)
               : values_.unknown();
  }
  return {0, narrow ? static_cast<std::int64_t>(static_cast<std::uint32_t>(operand.imm.value.u))
                    : operand.imm.value.s};
}

std::optional<CodeValue> AccessProver::result_of() {
  if (operands_.size() < 2) return std::nullopt;
  const ZydisDecodedOperand &to = operands_[0], &from = operands_[1];
  const bool to_register = to.type == ZYDIS_OPERAND_TYPE_REGISTER && number_of(to.reg.value) >= 0;
  const auto width = to.size;
  const bool has_relocation = code_.relocation_in(now_.at, now_.end) != nullptr;
  switch (now_.code.mnemonic) {
    case ZYDIS_MNEMONIC_MOV:
      if (width != 64 && width != 32) return std::nullopt;
      if (from.type == ZYDIS_OPERAND_TYPE_REGISTER && number_of(from.reg.value) >= 0) {
        const CodeValue value = values_.get(number_of(from.reg.value));
        return width == 64 ? value : values_.extended(value, false);
      }
      if (!to_register) return std::nullopt;
      if (from.type == ZYDIS_OPERAND_TYPE_IMMEDIATE) return immediate(from);
      if (from.type != ZYDIS_OPERAND_TYPE_MEMORY) return std::nullopt;
      if (loaded_) {
        return load(*loaded_);  // a load of four bytes has the value of these bytes alone
      }
      if (width == 64 && is_thread_pointer(from)) return CodeValue{BlockValues::thread_pointer, 0};
      if (width == 64 && has_relocation &&
          from.mem.base == ZYDIS_REGISTER_RIP) {  // a word that the loader fills
        const MemoryPlace place = code_.place_of(now_, from);
        if (reads_loaders_word(place))
          return values_.with_symbol({0, 0}, place.relocation->symbol, place.relocation->type);
      }
      return std::nullopt;
    case ZYDIS_MNEMONIC_MOVSXD:
      if (width != 64) return std::nullopt;
      if (loaded_) return values_.extended(load(*loaded_), true);
      if (from.type != ZYDIS_OPERAND_TYPE_REGISTER) return std::nullopt;
      if (number_of(from.reg.value) < 0) return std::nullopt;
      return values_.extended(values_.get(number_of(from.reg.value)), true);
    case ZYDIS_MNEMONIC_LEA:
      if (width != 64 || now_.code.address_width != 64) return std::nullopt;
      return value_of(code_.place_of(now_, from));
    case ZYDIS_MNEMONIC_ADD:
    case ZYDIS_MNEMONIC_SUB: {
      if (width != 64 || !to_register) return std::nullopt;
      const CodeValue value = values_.get(number_of(to.reg.value));
      const bool adds = now_.code.mnemonic == ZYDIS_MNEMONIC_ADD;
      if (from.type == ZYDIS_OPERAND_TYPE_IMMEDIATE) {
        if (has_relocation)
          return adds ? std::optional(values_.sum(value, immediate(from), 1)) : std::nullopt;
        return CodeValue{value.name,
                         adds ? value.plus + from.imm.value.s : value.plus - from.imm.value.s};
      }
      if (!adds) return std::nullopt;
      if (from.type == ZYDIS_OPERAND_TYPE_REGISTER && number_of(from.reg.value) >= 0)
        return values_.sum(value, values_.get(number_of(from.reg.value)), 1);
      if (from.type == ZYDIS_OPERAND_TYPE_MEMORY && is_thread_pointer(from))
        return values_.sum(value, {BlockValues::thread_pointer, 0}, 1);
      return std::nullopt;
    }
    default: return std::nullopt;
  }
}

}  // namespace histolab::kernels::emulator

#include "kernels/emulator/proof/instruction_values.h"

namespace histolab::kernels::emulator {
namespace {

using Value = RelocationKind::Value;

constexpr std::uint32_t whole_bytes = 8, half_bytes = 4;  // of a general register

bool is_register(const Operand& operand) {
  return operand.type == Operand::Type::reg && is_general_register(operand.reg);
}

// The address may be anything else than the word that holds the thread pointer.
bool holds_thread_pointer(const MemoryPlace& place) {
  return place.in_thread_storage && place.base == no_register && place.index == no_register &&
         place.displacement == 0 && !place.relocation;
}

// Unsigned, so that it wraps around as in machine code: the constants are untrusted.
CodeValue moved_by(CodeValue value, std::int64_t distance) {
  value.plus = static_cast<std::int64_t>(static_cast<std::uint64_t>(value.plus) +
                                         static_cast<std::uint64_t>(distance));
  return value;
}

CodeValue immediate(const CodeInstruction& instruction, const Operand& operand,
                    BlockValues& values) {
  const bool is_narrow =
      operand.bytes == half_bytes && instruction.operands()[0].bytes == half_bytes;
  const Relocation* relocation = instruction.relocation_of_immediate();
  if (relocation == nullptr) {
    if (!is_narrow) return {0, operand.immediate};
    return {0, static_cast<std::int64_t>(static_cast<std::uint32_t>(operand.immediate))};
  }
  // The value is known only if the field, as the instruction extends it, is the relocation's sum.
  const RelocationKind kind = kind_of(*relocation);
  const bool is_wide = instruction.immediates[0].bytes == whole_bytes;
  const bool has_size = kind.bytes == (is_wide ? whole_bytes : half_bytes);
  const bool has_sign = is_wide || kind.is_signed != is_narrow;
  const bool is_known =
      kind.value == Value::address || (kind.value == Value::thread_offset && !is_narrow);
  if (!has_size || !has_sign || !is_known) return values.unknown();
  return values.with_symbol({0, relocation->addend}, relocation->symbol, kind);
}

// A copy of a whole register, of its lower half, or into one of them.
std::optional<CodeValue> copied(const CodeInstruction& instruction, BlockValues& values,
                                const std::optional<CodeValue>& loaded) {
  const Operand &to = instruction.operands()[0], &from = instruction.operands()[1];
  if (to.bytes != whole_bytes && to.bytes != half_bytes) return std::nullopt;
  if (is_register(from)) {
    const CodeValue value = values.get(from.reg);
    return to.bytes == whole_bytes ? value : values.extended(value, false);
  }
  if (!is_register(to)) return std::nullopt;
  if (from.type == Operand::Type::immediate) return immediate(instruction, from, values);
  if (from.type != Operand::Type::memory) return std::nullopt;
  if (loaded) return loaded;  // a load of four bytes has the value of these bytes alone
  if (to.bytes != whole_bytes) return std::nullopt;
  const MemoryPlace place = instruction.place_of(from);
  if (holds_thread_pointer(place)) return CodeValue{BlockValues::thread_pointer, 0};
  if (reads_loaders_word(place, instruction))
    return values.with_symbol({0, 0}, place.relocation->symbol, kind_of(*place.relocation));
  return std::nullopt;
}

std::optional<CodeValue> extended(const CodeInstruction& instruction, BlockValues& values,
                                  const std::optional<CodeValue>& loaded) {
  const Operand &to = instruction.operands()[0], &from = instruction.operands()[1];
  if (to.bytes != whole_bytes) return std::nullopt;
  if (loaded) return values.extended(*loaded, true);
  if (!is_register(from)) return std::nullopt;
  return values.extended(values.get(from.reg), true);
}

std::optional<CodeValue> added(const CodeInstruction& instruction, BlockValues& values) {
  const Operand &to = instruction.operands()[0], &from = instruction.operands()[1];
  if (to.bytes != whole_bytes || !is_register(to)) return std::nullopt;
  const CodeValue value = values.get(to.reg);
  const bool adds = instruction.operation == Instruction::Operation::add;
  if (from.type == Operand::Type::immediate && instruction.relocations.empty())
    return moved_by(value, adds ? from.immediate : -from.immediate);
  if (!adds) return std::nullopt;
  if (from.type == Operand::Type::immediate)
    return values.sum(value, immediate(instruction, from, values), 1);
  if (is_register(from)) return values.sum(value, values.get(from.reg), 1);
  if (from.type == Operand::Type::memory && holds_thread_pointer(instruction.place_of(from)))
    return values.sum(value, {BlockValues::thread_pointer, 0}, 1);
  return std::nullopt;
}

}  // namespace

CodeValue address_of(const MemoryPlace& place, const CodeInstruction& instruction,
                     BlockValues& values) {
  CodeValue value{0, place.displacement};
  if (place.relocation) {
    RelocationKind kind = kind_of(*place.relocation);
    // If the displacement counts from the instruction's end, the bytes between it and the end are
    // a part of the addend.
    const std::int64_t to_end =
        place.to_next ? static_cast<std::int64_t>(instruction.end - place.relocation->offset) : 0;
    const bool is_exact =
        place.to_next ? !kind.is_loaders_word() : kind.is_signed && !kind.counts_from_place();
    if (!is_exact) return values.unknown();
    if (place.to_next) kind = {Value::distance, half_bytes, true};
    value =
        values.with_symbol({0, place.relocation->addend + to_end}, place.relocation->symbol, kind);
  } else if (place.to_next) {
    return values.unknown();
  }
  if (place.base != no_register) value = values.sum(value, values.get(place.base), 1);
  if (place.index != no_register) value = values.sum(value, values.get(place.index), place.scale);
  if (place.in_thread_storage) value = values.sum(value, {BlockValues::thread_pointer, 0}, 1);
  return value;
}

std::optional<CodeValue> result_of(const CodeInstruction& instruction, BlockValues& values,
                                   const std::optional<CodeValue>& loaded) {
  const auto operands = instruction.operands();
  if (operands.size() < 2) return std::nullopt;
  switch (instruction.operation) {
    using enum Instruction::Operation;
    case copy: return copied(instruction, values, loaded);
    case extend_signed: return extended(instruction, values, loaded);
    case address: {
      const bool is_whole = operands[0].bytes == whole_bytes && !operands[1].memory.is_narrow;
      if (!is_whole) return std::nullopt;
      return address_of(instruction.place_of(operands[1]), instruction, values);
    }
    case add:
    case subtract: return added(instruction, values);
    default: return std::nullopt;
  }
}

bool reads_loaders_word(const MemoryPlace& place, const CodeInstruction& instruction) {
  if (!place.to_next || place.in_thread_storage || !place.relocation ||
      !kind_of(*place.relocation).is_loaders_word())
    return false;
  return place.relocation->addend +
             static_cast<std::int64_t>(instruction.end - place.relocation->offset) ==
         0;  // exactly that word, and not one next to it
}

}  // namespace histolab::kernels::emulator

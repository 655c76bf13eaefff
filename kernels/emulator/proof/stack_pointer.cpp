#include "kernels/emulator/proof/stack_pointer.h"

#include <algorithm>

#include "kernels/emulator/proof/instruction_values.h"

namespace histolab::kernels::emulator {
namespace {

constexpr std::int64_t most_alignment = 256;  // of a frame, in bytes

bool is_of_stack(CodeValue value) { return value.name == BlockValues::entry_stack; }

MemoryPlace at_register(int number) {
  MemoryPlace place;
  place.base = number;
  return place;
}

}  // namespace

void StackPointer::begin_block(const Frame& frame) {
  state_.begin_block(frame.depth);
  aligned_depth_ = frame.aligned_depth;
}

bool StackPointer::holds(CodeValue address, std::uint32_t bytes, bool writes) const {
  const std::int64_t begin = address.plus, most = pointer_bytes + most_stack_arguments;
  if (!is_of_stack(address) || begin < -depth() || begin > most - std::int64_t{bytes}) return false;
  return !writes || begin + bytes <= 0 || begin >= pointer_bytes;
}

CodeValue StackPointer::load(const StackWord& word) {
  if (aligned_depth_ != not_aligned) return state_.values.unknown();
  return state_.values.load(word.offset, word.bytes);
}

void StackPointer::note_frame_pointer(CodeValue value) {
  if (is_of_stack(value) && value.plus <= 0) frame_pointer_depth_ = -value.plus;
}

bool StackPointer::move(std::int64_t new_depth) {
  constexpr const char* leaves_frame = "a stack pointer that leaves its frame";
  if (new_depth < 0 || new_depth % pointer_bytes != 0) return state_.refuse(leaves_frame);
  const bool is_push = new_depth <= depth() + pointer_bytes;  // without room it faults
  if (new_depth > most_unasked_frame && !is_push) {
    MemoryPlace place = at_register(stack_register);
    place.displacement =
        static_cast<std::int32_t>(std::max<std::int64_t>(depth() - new_depth, INT32_MIN / 2));
    state_.ask(NeededCheck::What::frame, place, 0);
  }
  // In an aligned frame the stack pointer may be higher than assumed. The only way to leave such a
  // frame is to restore the stack pointer from a register.
  if (depth() >= aligned_depth_ && new_depth < aligned_depth_) return state_.refuse(leaves_frame);
  state_.values.set(stack_register, {BlockValues::entry_stack, -new_depth});
  deepest_ = std::max(deepest_, new_depth);
  return true;
}

bool StackPointer::push(CodeValue value) {
  if (!move(depth() + pointer_bytes)) return false;
  state_.values.store(-depth(), pointer_bytes, value);
  return true;
}

bool StackPointer::pop() {
  const Operand& operand = state_.now.operands()[0];
  const bool is_whole_register = operand.type == Operand::Type::reg &&
                                 is_general_register(operand.reg) && operand.bytes == pointer_bytes;
  if (!is_whole_register || operand.reg == stack_register) return state_.refuse(not_needed);
  const CodeValue value = load({-depth(), pointer_bytes});
  if (!move(depth() - pointer_bytes)) return false;
  if (is_reserved_register(operand.reg)) return state_.refuse(writes_reserved);
  state_.values.set(operand.reg, value);
  return true;
}

bool StackPointer::restore(const MemoryPlace& place, std::int64_t new_depth) {
  if (new_depth < 0 || new_depth > most_stack_arguments / 2) return refuse_computed();
  // The frame that is assumed from here on is then in the lane's own stack.
  state_.ask(NeededCheck::What::stack_pointer, place, most_stack_arguments);
  // The distance of all values from the new stack pointer is unknown.
  state_.values.forget_slots();
  state_.values.forget_all_registers();
  state_.values.set(stack_register, {BlockValues::entry_stack, -new_depth});
  aligned_depth_ = not_aligned;
  return true;
}

bool StackPointer::leave() {
  if (state_.now.width != pointer_bytes) return state_.refuse("a pop of less than a word");
  const CodeValue frame = state_.values.get(frame_register);
  const bool is_known = is_of_stack(frame) && frame.plus <= 0 && -frame.plus <= depth();
  const bool leaves_aligned_frame =
      is_known && depth() >= aligned_depth_ && -frame.plus < aligned_depth_;
  if (is_known && !leaves_aligned_frame) {
    state_.values.set(stack_register, frame);
  } else {
    const std::int64_t new_depth = is_known ? -frame.plus : frame_pointer_depth_;
    if (!restore(at_register(frame_register), new_depth)) return false;
  }
  state_.values.set(frame_register, load({-depth(), pointer_bytes}));
  return move(depth() - pointer_bytes);
}

// Aligns the frame: lowers the stack pointer by less than the alignment.
bool StackPointer::align(std::int64_t mask) {
  if (mask >= 0 || mask < -most_alignment) return refuse_computed();
  if (aligned_depth_ != not_aligned) return state_.refuse("a stack that is aligned twice");
  aligned_depth_ = (depth() - mask + pointer_bytes - 1) / pointer_bytes * pointer_bytes;
  return move(aligned_depth_);
}

// The new stack pointer is the address of `place`.
bool StackPointer::restore_from(const MemoryPlace& place) {
  const CodeValue value = address_of(place, state_.now, state_.values);
  if (is_of_stack(value)) return move(-value.plus);
  if (place.index != no_register) return refuse_computed();
  if (place.base == entry_stack_register) return restore(place, 0);
  if (place.base != frame_register) return refuse_computed();
  return restore(place, frame_pointer_depth_ - place.displacement);
}

bool StackPointer::write() {
  const auto operands = state_.now.operands();
  if (operands.size() < 2 || operands[0].type != Operand::Type::reg ||
      operands[0].reg != stack_register || operands[0].bytes != pointer_bytes)
    return refuse_computed();
  const Operand& from = operands[1];
  const bool is_constant = from.type == Operand::Type::immediate && state_.now.relocations.empty();
  switch (state_.now.operation) {
    using enum Instruction::Operation;
    case subtract:
      if (!is_constant || from.immediate < 0) return refuse_computed();
      return move(depth() + from.immediate);
    case add:
      if (!is_constant) return refuse_computed();
      return move(depth() - from.immediate);
    case bit_and:
      if (!is_constant) return refuse_computed();
      return align(from.immediate);
    case copy:
      if (from.type != Operand::Type::reg || !is_general_register(from.reg))
        return refuse_computed();
      return restore_from(at_register(from.reg));
    case address: {
      const MemoryPlace place = state_.now.place_of(from);
      if (place.is_narrow || place.relocation || place.to_next || place.in_thread_storage)
        return refuse_computed();
      return restore_from(place);
    }
    default: return refuse_computed();
  }
}

}  // namespace histolab::kernels::emulator

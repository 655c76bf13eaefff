// AccessProver: follows the stack pointer, and ensures that it stays in the lane's own stack.
#include <algorithm>

#include "kernels/emulator/proof/access_prover.h"

namespace histolab::kernels::emulator {
namespace {

constexpr std::int64_t most_alignment = 256;  // of a frame, in bytes

}  // namespace

bool AccessProver::move_stack(std::int64_t new_depth) {
  if (new_depth < 0 || new_depth % pointer_bytes != 0)
    return refuse(now_.at, "a stack pointer that leaves its frame");
  if (new_depth > most_unasked_frame &&
      new_depth > depth() + pointer_bytes) {  // a push without room faults by itself
    MemoryPlace place;
    place.base = BlockValues::stack_pointer;
    place.displacement =
        static_cast<std::int32_t>(std::max<std::int64_t>(depth() - new_depth, INT32_MIN / 2));
    ask(NeededCheck::What::frame, place, 0);
  }
  // In an aligned frame the stack pointer may be higher than assumed. The only way to leave such a
  // frame is to restore the stack pointer from a register.
  if (depth() >= aligned_depth_ && new_depth < aligned_depth_)
    return refuse(now_.at, "a stack pointer that leaves its frame");
  values_.set(BlockValues::stack_pointer, {BlockValues::entry_stack, -new_depth});
  deepest_ = std::max(deepest_, new_depth);
  return true;
}

bool AccessProver::push() {
  const ZydisDecodedOperand& operand = operands_[0];
  if (now_.code.operand_width != 64) return refuse(now_.at, "a push of less than a word");
  CodeValue value = values_.unknown();
  if (operand.type == ZYDIS_OPERAND_TYPE_REGISTER) {
    if (number_of(operand.reg.value) < 0)
      return refuse(now_.at, "an instruction that no kernel needs");
    value = values_.get(number_of(operand.reg.value));
  } else if (operand.type == ZYDIS_OPERAND_TYPE_MEMORY && !access(operand)) {
    return false;
  }
  if (!move_stack(depth() + pointer_bytes)) return false;
  values_.store(-depth(), pointer_bytes, value);
  return true;
}

bool AccessProver::pop() {
  const ZydisDecodedOperand& operand = operands_[0];
  const int number = operand.type == ZYDIS_OPERAND_TYPE_REGISTER && operand.size == 64
                         ? number_of(operand.reg.value)
                         : -1;
  if (number < 0 || number == BlockValues::stack_pointer)
    return refuse(now_.at, "an instruction that no kernel needs");
  const CodeValue value = load({-depth(), pointer_bytes});
  if (!move_stack(depth() - pointer_bytes) || !may_write(number)) return false;
  values_.set(number, value);
  return true;
}

bool AccessProver::restore_stack(MemoryPlace place, std::int64_t new_depth) {
  if (new_depth < 0 || new_depth > most_stack_arguments / 2)
    return refuse(now_.at, "a stack pointer that is computed");
  ask(NeededCheck::What::stack_pointer, place,
      most_stack_arguments);  // the frame assumed from here on is then in the lane's own stack
  values_.forget_slots(),
      values_.forget_all_registers();  // their distance from the new stack pointer is unknown
  values_.set(BlockValues::stack_pointer, {BlockValues::entry_stack, -new_depth});
  aligned_depth_ = not_aligned;
  return true;
}

bool AccessProver::leave() {
  if (now_.code.operand_width != 64) return refuse(now_.at, "a pop of less than a word");
  constexpr int rbp = 5;
  const CodeValue frame = values_.get(rbp);
  const bool is_known =
      frame.name == BlockValues::entry_stack && frame.plus <= 0 && -frame.plus <= depth();
  const bool leaves_aligned_frame = depth() >= aligned_depth_ && -frame.plus < aligned_depth_;
  if (is_known && !leaves_aligned_frame) {
    values_.set(BlockValues::stack_pointer, frame);
  } else {
    MemoryPlace place;
    place.base = rbp;
    if (!restore_stack(place, is_known ? -frame.plus : frame_pointer_depth_)) return false;
  }
  values_.set(rbp, load({-depth(), pointer_bytes}));
  return move_stack(depth() - pointer_bytes);
}

bool AccessProver::write_stack_pointer() {
  const ZydisDecodedOperand &to = operands_[0], &from = operands_[1];
  const bool immediate = from.type == ZYDIS_OPERAND_TYPE_IMMEDIATE &&
                         code_.relocation_in(now_.at, now_.end) == nullptr;
  if (to.type != ZYDIS_OPERAND_TYPE_REGISTER || to.reg.value != ZYDIS_REGISTER_RSP)
    return refuse(now_.at, "a stack pointer that is computed");
  switch (now_.code.mnemonic) {
    case ZYDIS_MNEMONIC_SUB:
      if (immediate && from.imm.value.s >= 0) return move_stack(depth() + from.imm.value.s);
      break;
    case ZYDIS_MNEMONIC_ADD:
      if (immediate) return move_stack(depth() - from.imm.value.s);
      break;
    // Aligns the frame: lowers the stack pointer by less than the alignment.
    case ZYDIS_MNEMONIC_AND:
      if (!immediate || from.imm.value.s >= 0 || from.imm.value.s < -most_alignment) break;
      if (aligned_depth_ != not_aligned) return refuse(now_.at, "a stack that is aligned twice");
      aligned_depth_ =
          (depth() - from.imm.value.s + pointer_bytes - 1) / pointer_bytes * pointer_bytes;
      return move_stack(aligned_depth_);
    case ZYDIS_MNEMONIC_LEA:
    case ZYDIS_MNEMONIC_MOV: {
      MemoryPlace place;
      if (now_.code.mnemonic == ZYDIS_MNEMONIC_MOV) {
        place.base = from.type == ZYDIS_OPERAND_TYPE_REGISTER ? number_of(from.reg.value) : -1;
        if (place.base < 0) break;
      } else {
        place = code_.place_of(now_, from);
        if (now_.code.address_width != 64 || place.relocation || place.to_next ||
            place.in_thread_storage)
          break;
      }
      const CodeValue value = value_of(place);
      if (value.name == BlockValues::entry_stack) return move_stack(-value.plus);
      constexpr int r10 = 10, rbp = 5;  // g++ leaves an aligned frame by one of these
      if (place.index >= 0 || (place.base != r10 && place.base != rbp)) break;
      return restore_stack(place,
                           place.base == r10 ? 0 : frame_pointer_depth_ - place.displacement);
    }
    default: break;
  }
  return refuse(now_.at, "a stack pointer that is computed");
}

}  // namespace histolab::kernels::emulator

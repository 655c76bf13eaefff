// StackPointer: the part of the prover that follows the stack pointer through a function.
//
// It ensures that the stack pointer stays in the lane's own stack. Depths are in bytes below the
// stack pointer at the function's entry.
#pragma once

#include <cstdint>
#include <limits>

#include "kernels/emulator/proof/proof_state.h"

namespace histolab::kernels::emulator {

// A word on the stack. The offset counts from the stack pointer at the function's entry.
struct StackWord {
  std::int64_t offset = 0;
  std::uint32_t bytes = 0;
};

class StackPointer {
 public:
  static constexpr std::int64_t not_aligned = std::numeric_limits<std::int64_t>::max();
  static constexpr std::int64_t pointer_bytes = 8;

  struct Frame {
    std::int64_t depth = 0;
    // In a frame that is aligned to more than the ABI requires: the greatest possible depth after
    // the instruction that aligned it. The real depth may be smaller.
    std::int64_t aligned_depth = not_aligned;
    friend bool operator==(const Frame&, const Frame&) = default;
  };

  // `state` must outlive this object. It has the value of the stack pointer.
  explicit StackPointer(ProofState& state) : state_(state) {}

  // Begins a block in this frame.
  void begin_block(const Frame& frame);
  [[nodiscard]] Frame frame() const { return {depth(), aligned_depth_}; }
  [[nodiscard]] std::int64_t depth() const { return -state_.values.get(stack_register).plus; }
  // Returns the greatest depth so far.
  [[nodiscard]] std::int64_t deepest() const { return deepest_; }

  // Returns whether the access is to the function's own frame or to its arguments on the stack, at
  // a known offset. The return address may not be written.
  [[nodiscard]] bool holds(CodeValue address, std::uint32_t bytes, bool writes) const;
  // Returns the value of a word on the stack. In an aligned frame it is always unknown, because two
  // offsets may mean the same word.
  [[nodiscard]] CodeValue load(const StackWord& word);
  // The frame pointer has got this value.
  void note_frame_pointer(CodeValue value);

  // Each applies the current instruction. Returns false if it is refused.
  bool push(CodeValue value);
  bool pop();
  bool leave();
  bool write();  // an instruction whose result is the new stack pointer

 private:
  bool move(std::int64_t new_depth);
  bool align(std::int64_t mask);
  // Sets the stack pointer from an address. A check ensures at run time that the stack pointer does
  // not decrease and stays in the lane's own stack.
  bool restore(const MemoryPlace& place, std::int64_t new_depth);
  bool restore_from(const MemoryPlace& place);
  bool refuse_computed() { return state_.refuse("a stack pointer that is computed"); }

  ProofState& state_;
  std::int64_t deepest_ = 0;
  std::int64_t aligned_depth_ = not_aligned;
  // The depth to which the frame pointer pointed when it was last set from the stack pointer. It is
  // only a guess later on: values derived from it are checked at run time.
  std::int64_t frame_pointer_depth_ = -1;
};

}  // namespace histolab::kernels::emulator

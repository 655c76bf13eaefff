// AccessProver: makes the AccessProof (access_proof.h) of one section. It walks over a function's
// code, block by block, and keeps the known values of its registers and its stack.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "kernels/emulator/proof/access_proof.h"
#include "kernels/emulator/proof/block_values.h"

namespace histolab::kernels::emulator {

class AccessProver {
 public:
  AccessProver(const ObjectFile& object, std::uint32_t number) : object_(object), code_(object, number) {}

  AccessProof prove();

 private:
  static constexpr std::int64_t pointer_bytes = 8;
  static constexpr std::int64_t not_reached = -1, not_aligned = std::numeric_limits<std::int64_t>::max();
  struct StackWord {
    std::int64_t offset;
    std::uint32_t bytes;
  };
  struct Block {
    bool begins = false;
    std::int64_t depth = not_reached, aligned_depth = not_aligned;
  };

  bool refuse(std::uint32_t at, const char* what) {
    if (proof_.problem.empty()) proof_.problem = what, proof_.problem_at = at;
    return false;
  }
  [[nodiscard]] std::int64_t depth() const { return -values_.get(BlockValues::stack_pointer).plus; }

  // From block to block, by jumps and calls (access_proof.cpp).
  bool find_blocks();
  void arrive(std::uint32_t from, std::uint32_t at, std::int64_t depth);
  // From a block's begin to a jump that is always taken, or to the next block.
  void walk(std::uint32_t begin);
  // Returns false if the code behind it is not reached from here.
  bool step();
  // The symbol that a call or jump to another section names; nullptr if it names none that it may.
  const Symbol* callee();
  bool call();
  bool jump();

  // The stack pointer (access_proof_stack.cpp).
  bool move_stack(std::int64_t new_depth);
  bool push();
  bool pop();
  // Sets the stack pointer from a register. Whatever the register holds, it stays above where it
  // was, and in the lane's own stack.
  bool restore_stack(MemoryPlace place, std::int64_t new_depth);
  bool leave();
  bool write_stack_pointer();

  // Accesses, and all other effects of an instruction (access_proof_accesses.cpp).
  bool may_write(int number);
  // A word that the loader made for the relocation.
  [[nodiscard]] bool reads_loaders_word(const MemoryPlace& place) const;
  // Memory that is the file's own constants, the loader's words or a built-in variable, at a constant place.
  [[nodiscard]] bool reads_known_memory(const MemoryPlace& place, std::uint32_t bytes) const;
  void ask(NeededCheck::What what, const MemoryPlace& place, std::uint32_t bytes,
           BlockValues::ReportToCompare report = {});
  // Proves one access of the instruction, or asks for a check in front of it.
  bool access(const ZydisDecodedOperand& operand);
  bool ordinary();

  // The contents of a register or a word of the stack (access_proof_values.cpp). `value_of`: of an
  // address, without the bytes behind the displacement if that counts from the instruction's end.
  CodeValue value_of(const MemoryPlace& place);
  bool is_thread_pointer(const ZydisDecodedOperand& operand) const;
  // In an aligned frame it is unknown which of two words on the stack are one.
  CodeValue load(const StackWord& word);
  // The result that the instruction leaves in its first operand, if that is a known whole word.
  std::optional<CodeValue> result_of();
  CodeValue immediate(const ZydisDecodedOperand& operand);

  const ObjectFile& object_;
  const CodeSection code_;
  AccessProof proof_;
  std::vector<Block> block_;          // by offset
  std::vector<std::uint32_t> todo_;
  BlockValues values_;
  std::int64_t deepest_ = 0;
  std::int64_t aligned_depth_ = not_aligned;  // at most, behind the instruction that aligns the frame, until it is left
  std::int64_t frame_pointer_depth_ = -1;  // where it pointed to when it was last set from the stack pointer: what is made of it is checked as it runs
  CodeInstruction now_;                // the one that is looked at
  std::span<const ZydisDecodedOperand> operands_;  // its own
  std::optional<StackWord> loaded_, stored_;  // by it
  bool stores_elsewhere_ = false;
};

}  // namespace histolab::kernels::emulator

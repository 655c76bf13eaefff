// AccessProver: computes the AccessProof (access_proof.h) of one section.
//
// It walks over a function's code, block by block, and keeps the known values of registers and
// stack words.
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
  AccessProver(const ObjectFile& object, std::uint32_t number)
      : object_(object), code_(object, number) {}

  AccessProof prove();

 private:
  static constexpr std::int64_t pointer_bytes = 8;
  static constexpr std::int64_t not_reached = -1,
                                not_aligned = std::numeric_limits<std::int64_t>::max();
  struct StackWord {
    std::int64_t offset;
    std::uint32_t bytes;
  };
  struct Block {
    bool begins = false;
    std::int64_t depth = not_reached, aligned_depth = not_aligned;
  };

  // Refuses the code, and returns false.
  bool refuse(std::uint32_t at, const char* what) {
    if (proof_.problem.empty()) proof_.problem = what, proof_.problem_at = at;
    return false;
  }
  [[nodiscard]] std::int64_t depth() const { return -values_.get(BlockValues::stack_pointer).plus; }

  // Blocks, jumps and calls (access_proof.cpp).
  bool find_blocks();
  void arrive(std::uint32_t from, std::uint32_t at, std::int64_t depth);
  // Analyses a block, up to an unconditional jump or the next block.
  void walk(std::uint32_t begin);
  // Analyses the current instruction. Returns false if the next one is not reached from here.
  bool step();
  // Returns the symbol to which the current call or jump leads in another section. Otherwise
  // refuses the code and returns nullptr.
  const Symbol* callee();
  bool call();
  bool jump();

  // The stack pointer (access_proof_stack.cpp).
  bool move_stack(std::int64_t new_depth);
  bool push();
  bool pop();
  // Sets the stack pointer from a register. A check ensures at run time that the stack pointer does
  // not decrease and stays in the lane's own stack.
  bool restore_stack(MemoryPlace place, std::int64_t new_depth);
  bool leave();
  bool write_stack_pointer();

  // Accesses, and all other effects of an instruction (access_proof_accesses.cpp).
  bool may_write(int number);
  // Returns whether `place` is the word that the loader fills for the relocation.
  [[nodiscard]] bool reads_loaders_word(const MemoryPlace& place) const;
  // Returns whether `place` is at a constant address in the file's constants, the loader's words
  // or a built-in variable.
  [[nodiscard]] bool reads_known_memory(const MemoryPlace& place, std::uint32_t bytes) const;
  // Requests a check in front of the current instruction.
  void ask(NeededCheck::What what, const MemoryPlace& place, std::uint32_t bytes,
           BlockValues::ReportToCompare report = {});
  // Proves one access of the instruction, or requests a check in front of it.
  bool access(const ZydisDecodedOperand& operand);
  bool ordinary();

  // The contents of a register or a word of the stack (access_proof_values.cpp).
  // Returns the address. If the displacement counts from the instruction's end, the bytes between
  // displacement and end are not included.
  CodeValue value_of(const MemoryPlace& place);
  bool is_thread_pointer(const ZydisDecodedOperand& operand) const;
  // Returns the value of a word on the stack. In an aligned frame it is always unknown, because two
  // offsets may mean the same word.
  CodeValue load(const StackWord& word);
  // Returns the result that the instruction leaves in its first operand. Returns nullopt if it is
  // unknown or not a whole word.
  std::optional<CodeValue> result_of();
  CodeValue immediate(const ZydisDecodedOperand& operand);

  const ObjectFile& object_;
  const CodeSection code_;
  AccessProof proof_;
  std::vector<Block> block_;  // by offset
  std::vector<std::uint32_t> todo_;
  BlockValues values_;
  std::int64_t deepest_ = 0;
  // In an aligned frame: the greatest possible depth after the instruction that aligned it.
  std::int64_t aligned_depth_ = not_aligned;
  // The depth to which rbp pointed when it was last set from the stack pointer. It is only a guess
  // later on: values derived from it are checked at run time.
  std::int64_t frame_pointer_depth_ = -1;
  CodeInstruction now_;                            // the current instruction
  std::span<const ZydisDecodedOperand> operands_;  // its operands
  std::optional<StackWord> loaded_, stored_;       // the stack words that it accesses
  bool stores_elsewhere_ = false;
};

}  // namespace histolab::kernels::emulator

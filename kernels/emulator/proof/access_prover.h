// AccessProver: computes the AccessProof (access_proof.h) of one section.
//
// It walks over a function's code, block by block, and keeps the known values of registers and
// stack words.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "kernels/emulator/proof/code_blocks.h"
#include "kernels/emulator/proof/memory_access.h"
#include "kernels/emulator/proof/proof_state.h"
#include "kernels/emulator/proof/stack_pointer.h"

namespace histolab::kernels::emulator {

class AccessProver {
 public:
  // `object` must outlive this object.
  AccessProver(const ObjectFile& object, std::uint32_t section) : state_(object, section) {}
  AccessProver(const AccessProver&) = delete;
  AccessProver& operator=(const AccessProver&) = delete;

  AccessProof prove();

 private:
  // Continues at `at` in the current frame. All ways to a block must have the same frame.
  void arrive(std::uint32_t from, std::uint32_t at);
  // Analyses a block, up to an unconditional jump or the next block.
  void walk(std::uint32_t begin);
  // Each analyses the current instruction. Returns false if the next one is not reached from here.
  bool step();
  bool branch();
  bool call();
  bool jump();
  bool push();
  bool ordinary();
  // A call of a function of the runtime, which ends at the current instruction's end.
  bool call_runtime(const Symbol& symbol);
  // Returns the symbol to which the current call or jump leads in another section. Otherwise
  // refuses the code and returns nullptr.
  const Symbol* callee();
  // Analyses the operands of an ordinary instruction. Returns false if it is refused.
  bool prove_operands(AccessEffects& effects);
  // Stores the result of an ordinary instruction.
  void set_result(const std::optional<CodeValue>& result, const AccessEffects& effects);

  ProofState state_;
  StackPointer stack_{state_};
  CodeBlocks blocks_;
  std::vector<std::optional<StackPointer::Frame>> frames_;  // by offset, of blocks that are reached
  std::vector<std::uint32_t> todo_;                         // blocks
};

}  // namespace histolab::kernels::emulator

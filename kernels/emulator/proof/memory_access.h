// Proves the accesses of one instruction, or requests checks for them.
#pragma once

#include <optional>

#include "kernels/emulator/proof/proof_state.h"
#include "kernels/emulator/proof/stack_pointer.h"

namespace histolab::kernels::emulator {

// The effect of an instruction's accesses on what is known.
struct AccessEffects {
  std::optional<StackWord> loaded = std::nullopt, stored = std::nullopt;  // words on the own stack
  bool stores_elsewhere = false;
};

// Proves the access of the current instruction to `operand`, an operand of Type::memory, or
// requests a check in front of the instruction. Adds the effect to `effects`. Returns false if the
// code is refused.
bool prove_access(const Operand& operand, const StackPointer& stack, ProofState& state,
                  AccessEffects& effects);

}  // namespace histolab::kernels::emulator

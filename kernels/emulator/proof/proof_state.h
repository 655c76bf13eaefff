// ProofState: the instruction that the prover is at, and all that is known in front of it.
//
// The parts of the prover share it: AccessProver, StackPointer, prove_access().
#pragma once

#include <cstdint>

#include "kernels/emulator/code/code_section.h"
#include "kernels/emulator/proof/access_proof.h"
#include "kernels/emulator/proof/access_reports.h"
#include "kernels/emulator/proof/block_values.h"

namespace histolab::kernels::emulator {

struct ProofState {
  // `object` must outlive this object.
  ProofState(const ObjectFile& of, std::uint32_t section) : object(of), code(of, section) {}

  // Begins a block, `depth` bytes below the stack pointer at entry. Nothing else is known.
  void begin_block(std::int64_t depth) {
    values.begin(depth);
    reports.forget();
  }
  // Refuses the code because of the instruction at `at`, and returns false. The first reason
  // counts.
  bool refuse(std::uint32_t at, const char* why);
  // Likewise, because of the current instruction.
  bool refuse(const char* why) { return refuse(now.at, why); }
  // Requests a check in front of the current instruction.
  void ask(NeededCheck::What what, const MemoryPlace& place, std::uint32_t bytes,
           ReportToCompare report = {});

  const ObjectFile& object;
  const CodeSection code;
  CodeInstruction now;  // the current instruction
  BlockValues values;
  AccessReports reports;
  AccessProof proof;
};

// Reasons that several parts of the prover have. The first one is for instructions that the
// compiler does not generate for a kernel.
inline constexpr const char* not_needed = "an instruction that no kernel needs";
inline constexpr const char* writes_reserved = "a register that is the emulator's own";

}  // namespace histolab::kernels::emulator

// The machine code of a check (proof/confined_code.h): whether an address is in the lane's own
// stack.
//
// An instruction calls it in front of its access. It changes no register that the kernel may be
// using. It passes if the access is in the lane's own stack, above the stack pointer. Otherwise it
// calls histolab_unproved_access() (guards.h).
#pragma once

#include <cstdint>
#include <optional>

#include "kernels/emulator/arch/code_writer.h"
#include "kernels/emulator/arch/instruction.h"
#include "kernels/emulator/arch/relocation.h"

namespace histolab::kernels::emulator {

struct CheckCode {
  MemoryOperand place;  // as at the checked instruction
  // Relocation of the displacement. If it counts from the end of the instruction, so does its
  // addend here.
  std::optional<Relocation> relocation;
  std::uint32_t bytes = 0;  // size of the access
  // Checks instead that a frame which ends at the address does not reach the guard below the stack.
  bool is_frame = false;
  bool keeps_flags = false;    // the flags are read later
  bool reports_local = false;  // histolab_unproved_access() gets accesses to the own stack, too
};

// The places in the written code that are not final.
struct CheckFields {
  std::optional<Relocation> relocation;  // of the moved displacement
  // For CodeWriter::set_distance: the distances to a word with the address of
  // histolab_unproved_access(). The second one exists only with reports_local.
  std::uint32_t to_decider = 0;
  std::optional<std::uint32_t> to_decider_of_local;
};

// Writes the code of a check. `behind_call`: offset behind the call of the check.
CheckFields write_check(const CheckCode& check, std::uint32_t behind_call, CodeWriter& writer);

}  // namespace histolab::kernels::emulator

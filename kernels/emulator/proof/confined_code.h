// ConfinedCode: a section of a kernel's code with a check in front of each access that is not proved (access_proof.h).
//
// A check is a call of a piece of code behind the section's own, one for each. It lets accesses to
// the lane's own stack, above the stack pointer, pass; all others go to the runtime, which records
// them (guards.h). Instructions that move keep their order; their jumps, relocations and lines are
// moved along. A section that needs no check stays as the compiler made it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "kernels/emulator/proof/access_proof.h"

namespace histolab::kernels::emulator {

struct CheckedPlace {
  std::uint32_t offset = 0;  // behind the call of the check
  NeededCheck::What what = NeededCheck::What::read;
  std::uint32_t bytes = 0;
  bool store_is_due = false;  // as in NeededCheck
  BlockValues::ReportToCompare report;
};

struct ConfinedCode {
  std::string problem;       // why the kernel cannot be run; empty: it can
  std::uint32_t problem_at = 0;  // offset in the section as it came
  std::vector<std::uint8_t> bytes;
  std::vector<Relocation> relocations;
  std::vector<CheckedPlace> checks;
  std::vector<ReturnPlace> returns;
  std::vector<EarlyReport> early_reports;
  bool is_shallow = false;  // see AccessProof
  struct Moved { std::uint32_t from, to; };  // an instruction: where it was, and where it is (its check, where it has one)
  std::vector<Moved> moved;  // all of them, and the ends of both; empty where nothing has moved
};

// `reports_local`: checks also report accesses to the lane's own stack. The runtime records those to
// local arrays.
[[nodiscard]] ConfinedCode confine(const ObjectFile& object, std::uint32_t section,
                                   bool reports_local = false);

}  // namespace histolab::kernels::emulator

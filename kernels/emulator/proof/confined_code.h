// ConfinedCode: a section of a kernel's code with checks for all accesses that are not proved.
//
// See access_proof.h, and docs/emulator.md, "The proof and its checks".
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "kernels/emulator/proof/access_proof.h"

namespace histolab::kernels::emulator {

// A check in the new code. The other members are those of NeededCheck.
struct CheckedPlace {
  std::uint32_t offset = 0;  // behind the call of the check
  NeededCheck::What what = NeededCheck::What::read;
  std::uint32_t bytes = 0;
  bool store_is_due = false;
  ReportToCompare report;
};

struct ConfinedCode {
  std::string problem;              // the reason if the code is refused, else empty
  std::uint32_t problem_at = 0;     // offset in the original section
  std::vector<std::uint8_t> bytes;  // the new code
  std::vector<Relocation> relocations;
  std::vector<CheckedPlace> checks;
  std::vector<ReturnPlace> returns;
  std::vector<EarlyReport> early_reports;
  bool is_shallow = false;  // see AccessProof
  // An instruction's offset in the original section and in the new code. The latter is the offset
  // of its check if it has one.
  struct Moved {
    std::uint32_t from, to;
  };
  std::vector<Moved> moved;  // all instructions, and the end of the code; empty if nothing moved
};

// Proves the section's accesses, and adds the checks that are needed. Returns the original code if
// no check is needed. `reports_local`: checks also report accesses to the lane's own stack, and the
// runtime records those to local arrays.
[[nodiscard]] ConfinedCode confine(const ObjectFile& object, std::uint32_t section,
                                   bool reports_local = false);

}  // namespace histolab::kernels::emulator

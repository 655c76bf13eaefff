#include "kernels/emulator/proof/proof_state.h"

namespace histolab::kernels::emulator {

bool ProofState::refuse(std::uint32_t at, const char* why) {
  if (!proof.problem.empty()) return false;
  proof.problem = why;
  proof.problem_at = at;
  return false;
}

void ProofState::ask(NeededCheck::What what, const MemoryPlace& place, std::uint32_t bytes,
                     ReportToCompare report) {
  proof.checks.push_back({.what = what,
                          .before = now.at,
                          .place = place,
                          .bytes = bytes,
                          .keeps_flags = code.reads_flags_from(now.at),
                          .store_is_due = reports.store_due().has_value(),
                          .report = report});
}

}  // namespace histolab::kernels::emulator

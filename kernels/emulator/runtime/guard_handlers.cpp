// Handlers for failed checks of the guards, and for accesses that were not proved.
#include "kernels/emulator/arch/guards.h"
#include "kernels/emulator/arch/kept_float_state.h"
#include "kernels/emulator/messages/progress_messages.h"
#include "kernels/emulator/run/block_runner.h"
#include "kernels/emulator/runtime/runtime_access.h"

namespace histolab::kernels::emulator {

void histolab_end_by_return() {
  current.runner->end_by_overwriting("the address that its function returns to",
                                     current.runner->last_line());
}

void histolab_end_by_call(std::uint64_t return_address) {
  const int line = (*current.sites)[static_cast<SiteNumber>(return_address)].line;
  current.runner->end_by_fault(FindingKind::illegal_instruction, line, calls_nothing);
}

namespace {

// Records an access to the lane's own stack. The lane does not yield: no other lane sees its stack.
void record_local(std::uint64_t address, const Site& site, std::uint64_t behind_check) {
  if (!site.is_local) return;
  const auto append = [&](std::uint64_t at) {
    if (record_has_room(address, reinterpret_cast<const void*>(at))) return;
    const KeptFloatState kept;
    pause_for_judgement();
  };
  if (site.is_update) append(behind_check - 1);
  append(behind_check);
}

}  // namespace

void histolab_record_unproved(std::uint64_t address, std::uint64_t behind_check) {
  const auto number = static_cast<SiteNumber>(behind_check);
  const Site& site = (*current.sites)[number];
  if ((behind_check & is_of_local_check) != 0) return record_local(address, site, behind_check);
  const bool is_access = site.bytes != 0;  // if false, the frame grows or the stack pointer moves
  if (is_access && !writes(site.kind) && current.runner->is_constant(address, site.bytes)) return;
  if (is_access && was_reported(address, site)) return;
  if (!is_access || !current.runner->is_variable(address)) current.runner->end_by_local(number);
  const KeptFloatState kept;
  if (site.store_is_due) current.runner->interrupt_store();
  record_unreported(address, site, behind_check);
}

}  // namespace histolab::kernels::emulator

#include "kernels/emulator/run/launch_ending.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "kernels/emulator/messages/names.h"

namespace histolab::kernels::emulator {

void LaunchEnding::show_stray(const LaunchContext& context) const {
  if (!stray) return;
  for (Observer* observer : context.observers) observer->on_stray_access(*stray);
}

void LaunchEnding::report_fault(const LaunchContext& context) {
  if (!fault) return;
  stop(fmt::format("signal {} ({})", fault->signal, strsignal(fault->signal)));
  const auto explains = [](const Finding& f) {
    return f.kind == FindingKind::out_of_bounds || f.kind == FindingKind::use_after_free ||
           f.kind == FindingKind::misaligned_access;
  };
  if (fault->is_by_access() && !fault->in_stack &&
      std::ranges::any_of(context.findings->findings(), explains))
    return;
  Finding finding;
  finding.line = context.line_of_instruction(fault->instruction);
  finding.thread = context.thread_id(fault->lane);
  finding.kind = FindingKind::illegal_instruction;
  finding.message = fmt::format("{} {}", describe(*finding.thread), fault->what());
  context.findings->add(std::move(finding));
}

}  // namespace histolab::kernels::emulator

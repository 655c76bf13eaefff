#include "kernels/emulator/debugger/debugger.h"

#include "kernels/emulator/memory/window.h"

namespace histolab::kernels::emulator {
namespace {

std::uint64_t address_of(const char* text) { return reinterpret_cast<std::uint64_t>(text); }

std::uint64_t linear(const std::uint64_t (&shape)[3], const Dim3& place) {
  return (place.z * shape[1] + place.y) * shape[0] + place.x;
}

}  // namespace

extern "C" {
DebugView histolab_debug_view;
// It only serves as the location of a breakpoint. The compiler must neither inline nor omit the
// call.
[[gnu::noipa]] void histolab_debug_event(DebugEvent) { asm volatile(""); }
}

DebugRegions::DebugRegions(const Window& window) {
  for (const Region& region : window.regions())
    regions_.push_back({address_of(region.name.c_str()), region.address(), region.size,
                        region.element_bytes, static_cast<std::uint64_t>(region.role)});
  histolab_debug_view.regions = reinterpret_cast<std::uint64_t>(regions_.data());
  histolab_debug_view.region_count = regions_.size();
}

DebugRegions::~DebugRegions() {
  histolab_debug_view.regions = histolab_debug_view.region_count = 0;
}

void show_to_debugger(const Finding& finding) {
  DebugView& view = histolab_debug_view;
  const std::string kind(name(finding.kind));
  view.kind = address_of(kind.c_str());
  view.message = address_of(finding.message.c_str());
  view.is_error = finding.severity == Severity::error;
  view.line = static_cast<std::uint64_t>(finding.line);
  view.other_line = static_cast<std::uint64_t>(finding.other_line);
  view.file = address_of(finding.file.c_str());
  view.other_file = address_of(finding.other_file.c_str());
  view.finding_block = finding.thread ? linear(view.grid, finding.thread->block) : ~0ull;
  view.finding_thread = finding.thread ? linear(view.block, finding.thread->thread) : ~0ull;
  histolab_debug_event(DebugEvent::finding);
  view.kind = view.message = 0;
}

}  // namespace histolab::kernels::emulator

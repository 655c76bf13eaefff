#include "kernels/emulator/observers/fresh_memory.h"

#include "kernels/emulator/messages.h"

namespace histolab::kernels::emulator {

void FreshMemoryObserver::on_access(const WarpAccess& access) {
  WrittenBytes* written = access.region->written.get();
  if (written == nullptr || written->all() || access.kind == AccessKind::release) return;
  if (reads(access.kind))
    for_each_lane(access.active, [&](std::uint32_t lane) {
      const std::uint64_t begin = access.offset[lane], unset = written->first_unset(begin, access.bytes);
      if (unset != begin + access.bytes) report(access, lane, unset);
    });
  if (writes(access.kind))
    for_each_lane(access.active, [&](std::uint32_t lane) { written->set(access.offset[lane], access.bytes); });
}

void FreshMemoryObserver::report(const WarpAccess& access, std::uint32_t lane, std::uint64_t byte) {
  const Region& region = *access.region;
  const std::uint64_t key = std::uint64_t{region.id} << 16 | access.site;
  if (const auto known = reported_.find(key); known != reported_.end()) return context_.findings->again(known->second);
  Finding finding;
  finding.kind = FindingKind::uninitialized_read;
  finding.space = region.space;
  finding.variable = region.name;
  const std::uint32_t element = region.element_bytes != 0 ? region.element_bytes : access.bytes;
  if (region.size != element) finding.index = static_cast<std::int64_t>(byte / element);
  finding.line = context_.line(access.site);
  finding.thread = context_.thread_id(access.warp * 32 + lane);
  finding.message = uninitialized_global_message(finding, access.kind, byte % element);
  reported_[key] = context_.findings->add(std::move(finding));
}

}  // namespace histolab::kernels::emulator

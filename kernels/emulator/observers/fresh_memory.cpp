#include "kernels/emulator/observers/fresh_memory.h"

#include "kernels/emulator/messages/memory_messages.h"

namespace histolab::kernels::emulator {

void FreshMemoryObserver::on_access(const WarpAccess& access) {
  WrittenBytes* written = access.region->written.get();
  if (context_.in_order || written == nullptr || written->all() ||
      access.kind == AccessKind::release)
    return;
  if (reads(access.kind))
    for_each_lane(access.active, [&](std::uint32_t lane) {
      const std::uint64_t begin = access.offset[lane],
                          unset = written->first_unset(begin, access.bytes);
      if (unset == begin + access.bytes) return;
      LaneAccess one;
      one.site = access.site;
      one.kind = access.kind;
      one.bytes = access.bytes;
      one.lane = access.warp * 32 + lane;
      one.region = access.region;
      report(one, unset);
    });
  if (writes(access.kind))
    for_each_lane(access.active,
                  [&](std::uint32_t lane) { written->set(access.offset[lane], access.bytes); });
}

void FreshMemoryObserver::on_lane_access(const LaneAccess& access) {
  WrittenBytes* written = access.region->written.get();
  if (!context_.in_order || written == nullptr || written->all() ||
      access.kind == AccessKind::release)
    return;
  if (reads(access.kind))
    if (const std::uint64_t unset = written->first_unset(access.offset, access.bytes);
        unset != access.offset + access.bytes)
      report(access, unset);
  if (writes(access.kind)) written->set(access.offset, access.bytes);
}

void FreshMemoryObserver::report(const LaneAccess& access, std::uint64_t byte) {
  const Region& region = *access.region;
  const std::uint64_t key = std::uint64_t{region.id} << 16 | access.site;
  if (const auto known = reported_.find(key); known != reported_.end())
    return context_.findings->again(known->second);
  Finding finding;
  finding.kind = FindingKind::uninitialized_read;
  finding.space = region.space;
  finding.variable = region.name;
  const std::uint32_t element = region.element_bytes != 0 ? region.element_bytes : access.bytes;
  if (region.size != element) finding.index = static_cast<std::int64_t>(byte / element);
  finding.line = context_.line(access.site);
  finding.thread = context_.thread_id(access.lane);
  finding.message = uninitialized_global_message(finding, access.kind, byte % element);
  reported_[key] = context_.findings->add(std::move(finding));
}

}  // namespace histolab::kernels::emulator

#include "kernels/emulator/observers/race_findings.h"

#include <tuple>

#include "kernels/emulator/messages.h"

namespace histolab::kernels::emulator {
namespace {

Finding at(const LaunchContext& context, const Region& region, std::uint32_t offset, std::uint32_t bytes, SiteNumber site, std::uint32_t thread) {
  Finding finding;
  finding.space = region.space;
  finding.variable = region.name;
  if (region.element_bytes != 0) finding.index = offset / region.element_bytes;
  else if (region.size != bytes) finding.index = offset / bytes;  // else it is no array
  finding.line = context.line(site);
  finding.thread = context.thread_id(thread);
  return finding;
}

}  // namespace

std::size_t add_race(const LaunchContext& context, const Region& region, std::uint32_t offset, std::uint32_t bytes, const RaceSide& later,
                     const RaceSide& earlier, std::optional<SiteNumber> own_read) {
  Finding finding = at(context, region, offset, bytes, later.site, later.thread);
  finding.kind = FindingKind::data_race;
  finding.other_line = context.line(earlier.site);
  finding.other_thread = context.thread_id(earlier.block, earlier.thread);
  RaceFacts facts{later.kind, earlier.kind};
  facts.same_block = earlier.block == context.block;
  facts.same_warp = facts.same_block && later.thread / 32 == earlier.thread / 32;
  facts.fences = context.has_fence;
  facts.cooperative = context.cooperative;
  // Who reads by the writer's own read goes on as the writer did.
  const auto& [writer, reader] = later.kind == AccessKind::store ? std::tie(later, earlier) : std::tie(earlier, later);
  facts.both_update = own_read && writer.kind == AccessKind::store && !writes(reader.kind) &&
                      same_in_source((*context.sites)[*own_read], (*context.sites)[reader.site]);
  const auto for_block = [&](const RaceSide& side) { return is_atomic(side.kind) && (*context.sites)[side.site].scope == Scope::block; };
  facts.block_scope = region.space == Space::global && (for_block(later) || for_block(earlier));
  finding.message = data_race_message(finding, facts);
  const std::size_t number = context.findings->add(std::move(finding));
  if (later.kind == AccessKind::release || earlier.kind == AccessKind::release) context.findings->is_about_freed(number);
  return number;
}

Finding uninitialized_finding(const LaunchContext& context, const Region& region, std::uint32_t offset, std::uint32_t bytes, std::uint32_t byte,
                              AccessKind access, SiteNumber site, std::uint32_t thread) {
  Finding finding = at(context, region, offset, bytes, site, thread);
  finding.kind = FindingKind::uninitialized_read;
  finding.message = uninitialized_read_message(finding, access, bytes, byte > offset ? byte - offset : 0);
  return finding;
}

}  // namespace histolab::kernels::emulator

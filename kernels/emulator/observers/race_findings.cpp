#include "kernels/emulator/observers/race_findings.h"

#include <tuple>

#include "kernels/emulator/code/value_flow.h"
#include "kernels/emulator/messages/race_messages.h"

namespace histolab::kernels::emulator {
namespace {

Finding at(const LaunchContext& context, const Region& region, std::uint32_t offset,
           std::uint32_t bytes, SiteNumber site, std::uint32_t thread) {
  Finding finding;
  finding.space = region.space;
  finding.variable = region.name;
  if (region.element_bytes != 0)
    finding.index = offset / region.element_bytes;
  else if (region.size != bytes)
    finding.index = offset / bytes;  // else it is a scalar
  finding.line = context.line(site);
  finding.thread = context.thread_id(thread);
  return finding;
}

bool decides_barrier(const LaunchContext& context, SiteNumber read) {
  return context.value_flow && context.value_flow().decides_barrier(read);
}

// Returns how a read, and a write or an atomic operation, are the two parts of an update. Returns
// `none` if they are not.
Update update_of(const LaunchContext& context, const RaceSide& later, const RaceSide& earlier,
                 const ElementHistory& history) {
  const auto& [writer, reader] =
      writes(later.kind) ? std::tie(later, earlier) : std::tie(earlier, later);
  const std::optional<SiteNumber> own_read = history.own_read;
  if (!own_read || writes(reader.kind) || writer.kind == AccessKind::release) return Update::none;
  // If the reader reads at the same site as the writer did, it continues like the writer.
  const SiteTable& sites = *context.sites;
  // A compare-and-swap writes only if the value is unchanged.
  if (sites[writer.site].kind == AccessKind::compare_and_swap) return Update::none;
  if (!same_in_source(sites[*own_read], sites[reader.site])) return Update::none;
  if (writer.kind == AccessKind::store && sites[reader.site].line == sites[writer.site].line)
    return Update::one_line;
  if (!context.value_flow) return Update::none;
  ValueFlow& flow = context.value_flow();
  const Update update = flow.carries(reader.site, writer.site)  ? Update::computed
                        : flow.guards(reader.site, writer.site) ? Update::guarded
                                                                : Update::none;
  if (update == Update::none || history.other_writer ||
      flow.always_reaches(reader.site, writer.site))
    return update;
  // One thread may write for all. Within a block, then only a barrier may be missing. Between
  // blocks, the test and the write must be one step.
  return update == Update::guarded && later.block != earlier.block ? update : Update::none;
}

// Returns another writer, which the message names instead of a reader that may not write. Returns
// nullopt for other races.
std::optional<RaceSide> second_writer(const LaunchContext& context, const RaceSide& later,
                                      const RaceSide& earlier, const ElementHistory& history,
                                      Update update) {
  if (update != Update::computed && update != Update::guarded) return std::nullopt;
  const auto& [writer, reader] =
      writes(later.kind) ? std::tie(later, earlier) : std::tie(earlier, later);
  if (context.value_flow().always_reaches(reader.site, writer.site)) return std::nullopt;
  return history.other_writer;
}

}  // namespace

bool is_lost_update(const LaunchContext& context, const RaceSide& later, const RaceSide& earlier,
                    const ElementHistory& history) {
  return update_of(context, later, earlier, history) != Update::none;
}

std::size_t add_race(const LaunchContext& context, const Region& region, std::uint32_t offset,
                     std::uint32_t bytes, const RaceSide& later, const RaceSide& earlier,
                     const ElementHistory& history) {
  Finding finding = at(context, region, offset, bytes, later.site, later.thread);
  finding.kind = FindingKind::data_race;
  finding.other_line = context.line(earlier.site);
  finding.other_thread = context.thread_id(earlier.block, earlier.thread);
  const Update update = update_of(context, later, earlier, history);
  if (const auto writer = second_writer(context, later, earlier, history, update))
    (writes(later.kind) ? finding.other_thread : finding.thread) =
        context.thread_id(writer->block, writer->thread);
  const auto operation = [&](const RaceSide& side) {
    return is_atomic(side.kind) ? (*context.sites)[side.site].kind : side.kind;
  };
  RaceFacts facts{operation(later), operation(earlier)};
  facts.same_block = earlier.block == context.block;
  facts.same_warp = facts.same_block && later.thread / 32 == earlier.thread / 32;
  facts.fences = context.has_fence;
  facts.update = update;
  const auto overwrites = [&](const RaceSide& side) {
    return is_atomic(side.kind) && (*context.sites)[side.site].effect == AtomicEffect::overwrites;
  };
  const auto stores_result = [&](const RaceSide& store, const RaceSide& source) {
    const bool stores = store.kind == AccessKind::store || overwrites(store);
    if (!stores || !is_atomic(source.kind)) return false;
    if (!context.value_flow) return finding.line == finding.other_line;
    // The compiler may have copied a function: the same line is then several sites.
    const auto& sites = *context.sites;
    for (std::size_t number = 0; number < sites.size(); ++number)
      if (is_atomic(sites[number].kind) && sites[number].line == sites[source.site].line &&
          context.value_flow().carries(static_cast<SiteNumber>(number), store.site))
        return true;
    return false;
  };
  facts.stores_result = stores_result(later, earlier) || stores_result(earlier, later);
  facts.cooperative = context.cooperative;
  const auto for_block = [&](const RaceSide& side) {
    return is_atomic(side.kind) && (*context.sites)[side.site].scope == Scope::block;
  };
  if (is_atomic(later.kind) && is_atomic(earlier.kind)) {
    facts.first_overwrites = overwrites(later);
    facts.second_overwrites = overwrites(earlier);
  }
  facts.block_scope = region.space == Space::global && (for_block(later) || for_block(earlier));
  finding.message = data_race_message(finding, facts);
  const bool both_write = later.kind == AccessKind::store && earlier.kind == AccessKind::store;
  const RaceHarm harm = facts.update != Update::none || facts.stores_result ? RaceHarm::lost_update
                        : both_write                                        ? RaceHarm::both_write
                                                                            : RaceHarm::disorder;
  const auto decides = [&](const RaceSide& side) {
    return reads(side.kind) && decides_barrier(context, side.site);
  };
  const std::size_t number =
      context.findings->add_race(std::move(finding), harm, decides(later) || decides(earlier));
  if (later.kind == AccessKind::release || earlier.kind == AccessKind::release)
    context.findings->is_about_freed(number);
  return number;
}

std::size_t add_uninitialized(const LaunchContext& context, const Region& region,
                              std::uint32_t offset, std::uint32_t bytes, std::uint32_t byte,
                              AccessKind access, SiteNumber site, std::uint32_t thread,
                              SetElements elements) {
  Finding finding = at(context, region, offset, bytes, site, thread);
  finding.kind = FindingKind::uninitialized_read;
  finding.message = uninitialized_read_message(finding, access, bytes,
                                               byte > offset ? byte - offset : 0, elements);
  const std::size_t number = context.findings->add(std::move(finding));
  if (decides_barrier(context, site)) context.findings->decides_barrier(number);
  return number;
}

}  // namespace histolab::kernels::emulator

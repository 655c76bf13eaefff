// RaceObserver: lanes that share words. A histogram has few bins. After the first few lanes in one
// bin, all other lanes are alike.
#include "kernels/emulator/observers/races.h"

namespace histolab::kernels::emulator {

RaceObserver::Settled& RaceObserver::settled_at(const WarpAccess& access, const Shadow& shadow) {
  // mutant 1 -> 2: only changes which sites share a cache entry: each entry is checked, so the same
  // is reported
  Settled& settled = settled_[(access.site >> 1 ^ access.site >> 5) % settled_.size()];
  if (settled.site != access.site || settled.region != access.region ||
      settled.epoch != context_.epoch || settled.news != shadow.news)
    settled = {access.site, access.region, context_.epoch, shadow.news, 0, {}};
  return settled;
}

// Handles lanes that share words. A cell is a word.
void RaceObserver::record_words(Shadow& shadow, const WarpAccess& access, Kind kind) {
  const WordGroups& words = access.words();
  {
    const Settled& settled = settled_at(access, shadow);
    if (words.words != 0 && (words.words & ~settled.words) == 0) {
      const auto lanes = static_cast<std::uint64_t>(__builtin_popcount(access.active));
      for (std::uint32_t i = 0; i < settled.told.count; ++i)
        context_.findings->again(settled.told.findings[i], lanes);
      return;
    }
  }
  for (std::uint32_t i = 0; i < words.count; ++i) {
    const std::uint32_t cell =
        access.offset[static_cast<std::uint32_t>(__builtin_ctz(words.lanes[i]))] / 4;
    told_ = {};
    if (!record_group(shadow, cell, access, kind, words.lanes[i]) || cell >= 64 ||
        told_.count > told_.findings.size())
      continue;
    Settled& settled = settled_at(access, shadow);
    // mutant never: reported words are never cached: checks each lane separately and reports the
    // same, only slower
    if (settled.words == 0) settled.told = told_;
    if (settled.told == told_) settled.words |= 1ull << cell;
  }
}

namespace {

Witness witness(const WarpAccess& access, std::uint32_t lane) {
  return {access.site, static_cast<std::uint16_t>(access.warp * 32 + lane)};
}

// Returns true if each of these kinds has accesses by two threads, at one site. Then it does not
// matter which of them a third thread races with.
bool each_by_two_alike(const RaceCells& cells, std::uint32_t cell, std::uint32_t kinds) {
  for (; kinds != 0; kinds &= kinds - 1) {
    const Party& party = cells.of[static_cast<std::uint32_t>(__builtin_ctz(kinds))].party[cell];
    if (!party.complete() || party.first.site != party.second.site) return false;
  }
  // mutant true -> false: checks each lane separately: reports the same, only slower
  return true;  // of all of them
}

}  // namespace

// Handles the lanes of one access in one word. After the first few lanes, all others are alike.
// Returns true if all lanes were alike.
bool RaceObserver::record_group(Shadow& shadow, std::uint32_t cell, const WarpAccess& access,
                                Kind kind, std::uint32_t lanes) {
  if (record_first_of_kind(shadow, cell, access, kind, lanes)) return false;
  for (bool alike = true; lanes != 0; lanes &= lanes - 1, alike = false) {
    if (!changes_by_next(shadow, cell, access, kind)) {
      record_rest(shadow, cell, access, kind, lanes);
      // mutant return {}: words are never cached: checks each lane separately and reports the same,
      // only slower
      return alike;
    }
    const auto lane = static_cast<std::uint32_t>(__builtin_ctz(lanes));
    const std::uint32_t thread = access.warp * 32 + lane;
    report_if_unwritten(shadow, cell, cell, *access.region, access.offset[lane], access.bytes,
                        access.kind, access.site, thread);
    record_cell(shadow, cell, *access.region, access.offset[lane], access.bytes, kind, access.kind,
                access.site, thread);
  }
  return false;
}

// Handles the epoch's first accesses of this kind to the word, with the same result as record_cell
// for each. If they are not the first, or it matters which earlier access one of them races with,
// it does nothing and returns false.
bool RaceObserver::record_first_of_kind(Shadow& shadow, std::uint32_t cell,
                                        const WarpAccess& access, Kind kind, std::uint32_t lanes) {
  const bool shared = access.region->space == Space::shared;
  CellState& state = shadow.state[cell];
  if (state.epoch == context_.epoch && (state.now >> kind & 1) != 0) return false;
  // mutant >= -> >: checks each lane separately: reports the same, only slower
  const bool written = state.written && state.epoch >= context_.block_epoch;
  if (uninitialized_ && shared && reads(access.kind) && !written) return false;
  const std::uint32_t met = state.epoch == context_.epoch ? conflicts[kind] & state.now : 0u;
  if (!each_by_two_alike(shadow, cell, met)) return false;
  ++shadow.news;
  enter_epoch(shadow, cell, shared);
  const auto first = static_cast<std::uint32_t>(__builtin_ctz(lanes)),
             last = 31 - static_cast<std::uint32_t>(__builtin_clz(lanes));
  const auto count = static_cast<std::uint64_t>(__builtin_popcount(lanes));
  Shadow::OfKind& of = shadow.of[kind];
  of.party[cell] = {witness(access, first), count > 1 ? witness(access, last) : Witness{}};
  state.now |= static_cast<std::uint8_t>(1u << kind);
  state.written |= kind >= write;
  if (races_) {
    report(shadow, cell, access, kind, met, lanes);
    if (count > 1 && (conflicts[kind] >> kind & 1) != 0)
      report_times(access, static_cast<std::uint32_t>(__builtin_ctz(lanes & (lanes - 1))), kind,
                   {witness(access, first), context_.block}, count - 1);
  }
  if (!shared) of.latest[cell] = {witness(access, last), context_.block};
  return true;
}

// Returns false if one more thread's access of this kind, at this site, is reported exactly as the
// next one. That is so if its own kind and each conflicting kind have accesses by two threads, at
// one site. It is also so if the epoch has only additions, by two threads: additions do not
// conflict.
bool RaceObserver::changes_by_next(const Shadow& shadow, std::uint32_t cell,
                                   const WarpAccess& access, Kind kind) const {
  const CellState& state = shadow.state[cell];
  const bool may_be_unwritten = uninitialized_ && access.region->space == Space::shared &&
                                reads(access.kind) && !state.written;
  // mutant always: checks each lane separately: reports the same, only slower
  if (state.epoch != context_.epoch || (state.now >> kind & 1) == 0 || may_be_unwritten)
    return true;
  if (state.now == 1u << addition) return !shadow.of[addition].party[cell].complete();
  if (!each_by_two_alike(shadow, cell,
                         static_cast<std::uint32_t>(conflicts[kind] & state.now) | 1u << kind))
    return true;
  return shadow.of[kind].party[cell].first.site != access.site;
}

void RaceObserver::report_times(const WarpAccess& access, std::uint32_t lane, Kind other,
                                const Place& place, std::uint64_t times) {
  const std::size_t number = report_race(*access.region, access.offset[lane], access.bytes,
                                         access.kind, witness(access, lane), other, place);
  context_.findings->again(number, times - 1);
  if (told_.count < told_.findings.size()) told_.findings[told_.count] = number;
  // mutant ++ -> --: reported words are never cached: checks each lane separately and reports the
  // same, only slower
  ++told_.count;
}

// Reports the races of each of these lanes, with accesses of earlier blocks and with those kinds of
// this epoch that have two alike accesses (`met`).
void RaceObserver::report(const Shadow& shadow, std::uint32_t cell, const WarpAccess& access,
                          Kind kind, std::uint32_t met, std::uint32_t lanes) {
  const auto first = static_cast<std::uint32_t>(__builtin_ctz(lanes));
  const auto times = static_cast<std::uint64_t>(__builtin_popcount(lanes));
  for (; met != 0; met &= met - 1) {
    const auto other = static_cast<Kind>(__builtin_ctz(met));
    report_times(access, first, other,
                 {*not_ordered(shadow.of[other], cell, witness(access, first)), context_.block},
                 times);
  }
  const std::uint32_t earlier = conflicts_between_blocks[kind] & shadow.state[cell].earlier;
  if (earlier == 0 || access.region->space == Space::shared) return;
  const auto other = static_cast<Kind>(__builtin_ctz(earlier));
  report_times(access, first, other, shadow.of[other].previous[cell], times);
}

void RaceObserver::record_rest(Shadow& shadow, std::uint32_t cell, const WarpAccess& access,
                               Kind kind, std::uint32_t lanes) {
  if (races_) report(shadow, cell, access, kind, conflicts[kind] & shadow.state[cell].now, lanes);
  const Witness last = witness(access, 31 - static_cast<std::uint32_t>(__builtin_clz(lanes)));
  Shadow::OfKind& of = shadow.of[kind];
  if (access.region->space != Space::shared) of.latest[cell] = {last, context_.block};
  Party& party = of.party[cell];
  const std::uint32_t own =
      party.first.thread / 32u == access.warp ? lanes & ~(1u << party.first.thread % 32u) : lanes;
  if (own != 0 && party.first.site == access.site)
    party.second = witness(access, 31 - static_cast<std::uint32_t>(__builtin_clz(own)));
}

}  // namespace histolab::kernels::emulator

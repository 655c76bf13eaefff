#include "kernels/emulator/observers/races.h"

#include <algorithm>
#include <utility>

#include "kernels/emulator/observers/atomic_kind.h"

namespace histolab::kernels::emulator {

RaceObserver::RaceObserver(LaunchContext& context, bool report_races, bool report_uninitialized)
    : context_(context), races_(report_races), uninitialized_(report_uninitialized) {
  const auto threads = context.config.block.count();
  if (races_) recent_reads_.resize((threads + 31) / 32);
  if (context.has_warp_sync) {
    known_.resize((threads + 31) / 32);
    clock_.resize((threads + 31) / 32);
  }
  if (context.has_compare_and_swap) held_.resize(static_cast<std::uint32_t>(threads));
}

void RaceObserver::on_block_begin() { lists_.clear(); }

void RaceObserver::on_barrier() {
  release_held_reads();
  lists_.clear();
}

void RaceObserver::on_block_suspend() {
  if (!uninitialized_) return;
  SharedWritten& kept = suspended_[context_.block];
  for (const Region& region : context_.window->regions()) {
    if (region.space != Space::shared || region.id >= shadows_.size()) continue;
    const Shadow& shadow = shadows_[region.id];
    kept.add(region.id, shadow.bytes_per_cell, shadow.state,
             [&](const CellState& s) { return s.written && s.epoch >= context_.block_epoch; });
  }
}

// Accesses before a grid barrier do not race with those after it, so all cells start again empty.
void RaceObserver::on_grid_barrier() {
  for (Shadow& shadow : shadows_) {
    if (shadow.news == shadow.news_at_grid_barrier) continue;
    std::ranges::fill(shadow.state, CellState{});
    shadow.news_at_grid_barrier = shadow.news;
  }
}

void RaceObserver::on_block_resume() {
  on_block_begin();
  if (!uninitialized_) return;
  const SharedWritten kept = std::move(suspended_.extract(context_.block).mapped());
  for (const SharedWritten::Variable& variable : kept.variables) {
    Shadow& shadow = shadows_[variable.region];
    for (std::size_t i = 0; i < shadow.state.size(); ++i)
      shadow.state[i] = {.epoch = context_.epoch,
                         .written = variable.written_at(i * shadow.bytes_per_cell)};
  }
}

RaceObserver::Kind RaceObserver::kind_of(const WarpAccess& access, Shadow& shadow) const {
  switch (access.kind) {
    case AccessKind::load: return plain_read;
    case AccessKind::volatile_load: return volatile_read;
    case AccessKind::store:
    case AccessKind::release: return write;
    case AccessKind::atomic:
    case AccessKind::compare_and_swap:
    case AccessKind::exchange: break;
  }
  return kind_of_atomic<Kind>(context_, access.site, access.region->space, shadow.overwrites);
}

void RaceObserver::on_access(const WarpAccess& access) {
  const Region& region = *access.region;
  if (writes(access.kind)) region.note_write();
  if (!region.tracked_for_races()) return;
  if (races_ && !writes(access.kind)) note_read(access);
  if (held_.in_use() && region.space != Space::local) {
    if (access.kind == AccessKind::load) return hold(access);
    if (held_.any() && writes(access.kind)) validate_or_release(access);
  }
  Shadow& shadow = shadow_of(region, access.bytes, access.any_bits);
  const Kind kind = kind_of(access, shadow);
  make_room(shadow, kind, region.space == Space::shared);
  if (clock_.empty()) {
    // If there are fewer words than lanes, some lanes share a word.
    // mutant 4 -> 5: reports the same lane by lane, only slower
    const bool words = shadow.bytes_per_cell == 4 && access.bytes == 4;
    // mutant - -> +: only changes which lanes count as sharing words: reports the same lane by
    // lane, only slower
    const bool share = (access.highest - access.lowest) / 4 + 1 <
                       static_cast<std::uint32_t>(__builtin_popcount(access.active));
    if (words && (share || kind == addition)) return record_words(shadow, access, kind);
    // mutant never: reports the same cell by cell, only slower
    if (record_run(shadow, access, kind)) return;
  }
  for_each_lane(access.active, [&](std::uint32_t lane) {
    see(shadow, region, access.offset[lane], access.bytes, kind, access.kind, access.site,
        access.warp * 32 + lane);
  });
}

RaceObserver::Shadow& RaceObserver::shadow_of(const Region& region, std::uint32_t bytes,
                                              std::uint32_t low_bits) {
  if (region.id >= shadows_.size()) shadows_.resize(region.id + 1);
  Shadow& shadow = shadows_[region.id];
  if (shadow.state.empty()) shadow.state.resize(region.noted_bytes() / 4 + 1);
  const bool narrow = bytes < 4 || (low_bits & 3) != 0;
  if (!narrow || shadow.bytes_per_cell == 1) return shadow;
  const auto each_four_times = [](auto& cells) {
    std::remove_reference_t<decltype(cells)> bytes_of;
    // mutant 4 -> 5: only changes the size of one allocation: the rest is never accessed
    bytes_of.reserve(cells.size() * 4);
    for (const auto& cell : cells) bytes_of.insert(bytes_of.end(), 4, cell);
    cells = std::move(bytes_of);
  };
  each_four_times(shadow.state);
  for (std::uint32_t kind = 0; kind < race_kinds; ++kind) {
    Shadow::OfKind& of = shadow.of[kind];
    each_four_times(of.party);
    each_four_times(of.clocked);
    each_four_times(of.latest);
    each_four_times(of.previous);
    // mutant 0 -> 1: the first byte of each four holds the list of its word
    for (std::size_t i = 0; i < of.clocked.size(); ++i) {  // each its own list
      // Outside of the current epoch its list is gone.
      const bool of_now =
          shadow.state[i].epoch == context_.epoch && (shadow.state[i].now >> kind & 1) != 0;
      // mutant 4 -> 5: at most one byte of each four holds the list of its word; it does not matter
      // which one
      if (i % 4 == 0 || !of_now || of.clocked[i].list == 0) continue;
      lists_.push_back(WarpList(lists_[of.clocked[i].list - 1]));
      of.clocked[i].list = static_cast<std::uint32_t>(lists_.size());
    }
  }
  shadow.bytes_per_cell = 1;
  return shadow;
}

void RaceObserver::make_room(Shadow& shadow, Kind kind, bool shared) const {
  Shadow::OfKind& of = shadow.of[kind];
  if (!of.party.empty()) [[likely]]
    return;
  const std::size_t cells = shadow.state.size();
  of.party.resize(cells);
  // mutant always: unused without __syncwarp: only costs memory
  if (!clock_.empty()) of.clocked.resize(cells);
  // mutant always: unused for shared memory: only costs memory
  if (!shared) {
    of.latest.resize(cells);
    of.previous.resize(cells);
  }
}

void RaceObserver::see(Shadow& shadow, const Region& region, std::uint32_t offset,
                       std::uint32_t bytes, Kind kind, AccessKind access, SiteNumber site,
                       std::uint32_t thread) {
  const std::uint32_t first = offset / shadow.bytes_per_cell,
                      last = (offset + bytes - 1) / shadow.bytes_per_cell;
  report_if_unwritten(shadow, first, last, region, offset, bytes, access, site, thread);
  for (std::uint32_t i = first; i <= last; ++i)
    record_cell(shadow, i, region, offset, bytes, kind, access, site, thread);
}

// Handles neighbouring lanes that access neighbouring cells, one each, as most plain accesses do.
// All are recorded at once on two conditions. No other thread has accessed these cells in this
// epoch by the same or a conflicting kind, and no earlier block by a conflicting kind. Returns
// false, and does nothing, if they are not met.
bool RaceObserver::record_run(Shadow& shadow, const WarpAccess& access, Kind kind) {
  const auto first_lane = static_cast<std::uint32_t>(__builtin_ctz(access.active));
  // mutant >> -> <<: does not detect runs that start after the first lane: reports the same cell by
  // cell, only slower
  const std::uint32_t run = access.active >> first_lane,
                      lanes = static_cast<std::uint32_t>(__builtin_popcount(run));
  // mutant 0 -> 1: reports the same lane by lane, only slower; the value is never 1, because the
  // first lane's bit is set
  if ((run & (run + 1)) != 0 || access.bytes != shadow.bytes_per_cell) return false;
  // mutant - -> + #2: detects no runs: reports the same cell by cell, only slower
  if (access.highest - access.lowest != (lanes - 1) * access.bytes ||
      access.offset[first_lane] != access.lowest)
    return false;
  // mutant 0 -> 1: reports the same lane by lane, only slower
  std::uint32_t astray = 0;
  for (std::uint32_t i = 0; i < lanes; ++i)
    astray |= access.offset[first_lane + i] ^ (access.lowest + i * access.bytes);
  if (astray != 0) return false;

  const bool shared = access.region->space == Space::shared;
  const CellRun cells{access.lowest / access.bytes,
                      lanes,
                      context_.epoch,
                      context_.block_epoch,
                      {access.site, static_cast<std::uint16_t>(access.warp * 32 + first_lane)}};
  const RunSeen seen = look_at(shadow, cells);
  if (!shared && (seen.earlier & conflicts_between_blocks[kind]) != 0) return false;
  // mutant && -> ||: reports the same cell by cell, only slower
  if (shared && uninitialized_ && kind != write && !seen.written) return false;
  for (std::uint32_t left = seen.now & (conflicts[kind] | 1u << kind); left != 0; left &= left - 1)
    if (!only_by_themselves(shadow, cells, static_cast<Kind>(__builtin_ctz(left)))) return false;
  // mutant && -> ||: updates each cell separately, as recording does anyway: same report, only
  // slower
  if (!shared && seen.left_by_another)
    for (std::uint32_t i = 0; i < lanes; ++i) enter_epoch(shadow, cells.first + i, shared);
  note(shadow, cells, kind);
  if (!shared) note_latest(shadow, cells, kind, context_.block);
  // mutant true -> false: records and reports the same again cell by cell, because there are no
  // other accesses: only slower
  return true;
}

// Updates a cell that was last accessed in an earlier epoch to the current one.
void RaceObserver::enter_epoch(Shadow& shadow, std::uint32_t cell, bool shared) const {
  CellState& state = shadow.state[cell];
  if (state.epoch == context_.epoch) return;
  state.before |= state.now;
  if (state.epoch < context_.block_epoch) {  // of another block
    if (!shared) {                           // each block has its own shared memory
      for (std::uint32_t left = state.before; left != 0; left &= left - 1) {
        Shadow::OfKind& of = shadow.of[static_cast<std::uint32_t>(__builtin_ctz(left))];
        of.previous[cell] = of.latest[cell];
      }
      state.earlier |= std::exchange(state.before, std::uint8_t{0});
    }
    state.written = false;
  }
  state.now = 0;
  state.epoch = context_.epoch;
}

// Reports the accesses in the cell that race with this access.
void RaceObserver::meet_others(const Shadow& shadow, std::uint32_t cell, const Region& region,
                               std::uint32_t offset, std::uint32_t bytes, Kind kind,
                               AccessKind access, Witness who) {
  const CellState& state = shadow.state[cell];
  for (std::uint32_t met = conflicts[kind] & state.now; met != 0; met &= met - 1) {
    const auto other = static_cast<std::uint32_t>(__builtin_ctz(met));
    if (const auto witness = not_ordered(shadow.of[other], cell, who))
      report_race(region, offset, bytes, access, who, static_cast<Kind>(other),
                  {*witness, context_.block});
  }
  if (const std::uint32_t met = conflicts_between_blocks[kind] & state.earlier;
      met != 0 && region.space != Space::shared) {
    const auto other = static_cast<std::uint32_t>(__builtin_ctz(met));
    report_race(region, offset, bytes, access, who, static_cast<Kind>(other),
                shadow.of[other].previous[cell]);
  }
}

void RaceObserver::record_cell(Shadow& shadow, std::uint32_t cell, const Region& region,
                               std::uint32_t offset, std::uint32_t bytes, Kind kind,
                               AccessKind access, SiteNumber site, std::uint32_t thread) {
  const bool shared = region.space == Space::shared;
  const Witness who{site, static_cast<std::uint16_t>(thread)};
  ++shadow.news;
  enter_epoch(shadow, cell, shared);
  CellState& state = shadow.state[cell];
  if (races_) meet_others(shadow, cell, region, offset, bytes, kind, access, who);
  Shadow::OfKind& of = shadow.of[kind];
  join(of, cell, (state.now >> kind & 1) == 0, who);
  state.now |= static_cast<std::uint8_t>(1u << kind);
  state.written |= kind >= write;
  if (!shared) of.latest[cell] = {who, context_.block};
}

// Returns an access of the party that is not ordered before `next`, or nullopt if all are. Prefers
// one at the site of `next`, unless `any` is set.
std::optional<Witness> RaceObserver::not_ordered(const Shadow::OfKind& of, std::uint32_t cell,
                                                 Witness next, bool any) const {
  const bool by_warp = !clock_.empty();
  const Party& party = of.party[cell];
  const auto apart = [&](Witness w) {
    return by_warp ? w.thread / 32 != next.thread / 32 : w.thread != next.thread;
  };
  if (party.complete()) {
    if (!apart(party.first)) return party.second;
    return party.first.site == next.site || !apart(party.second) ? party.first : party.second;
  }
  if (apart(party.first)) return party.first;
  return by_warp ? not_ordered_lane(of, cell, next, any) : std::nullopt;
}

// The same among the lanes of a warp.
std::optional<Witness> RaceObserver::not_ordered_lane(const Shadow::OfKind& of, std::uint32_t cell,
                                                      Witness next, bool any) const {
  const std::uint32_t warp = next.thread / 32u, me = next.thread % 32u;
  const auto knows = [&](std::uint32_t lane, std::uint32_t when) {
    return lane == me || (!known_[warp].empty() && known_[warp][me * 32 + lane] > when);
  };
  const Witness first = of.party[cell].first;
  const Clocked clocked = of.clocked[cell];
  if (clocked.list == 0)
    return knows(first.thread % 32u, clocked.when) ? std::nullopt : std::optional(first);
  const WarpList& list = lists_[clocked.list - 1];
  std::optional<Witness> witness;
  for (std::uint32_t left = list.lanes; left != 0; left &= left - 1) {
    const auto lane = static_cast<std::uint32_t>(__builtin_ctz(left));
    const bool better = !witness || list.site[lane] == next.site;
    if (!better || knows(lane, list.when[lane])) continue;
    witness = Witness{list.site[lane], static_cast<std::uint16_t>(warp * 32 + lane)};
    if (any || list.site[lane] == next.site) break;
  }
  return witness;
}

// Adds an access to its party. `fresh`: it is the first one of its kind in this epoch.
void RaceObserver::join(Shadow::OfKind& of, std::uint32_t cell, bool fresh, Witness who) {
  Party& party = of.party[cell];
  if (clock_.empty()) {
    if (fresh)
      party = {who, {}};
    else
      (party.first.thread == who.thread ? party.first : party.second) = who;
    return;
  }
  const std::uint32_t warp = who.thread / 32u, lane = who.thread % 32u;
  Clocked& clocked = of.clocked[cell];
  if (!fresh && party.complete()) {
    (party.first.thread / 32u == warp ? party.first : party.second) = who;
  } else if (fresh || !not_ordered(of, cell, who, true)) {  // it is ordered after all others
    party = {who, {}};
    clocked = {clock_[warp][lane], 0};
  } else if (party.first.thread / 32u != warp) {
    party.second = who;
  } else {
    if (clocked.list == 0) {
      lists_.emplace_back().set(party.first.thread % 32u, party.first.site, clocked.when);
      clocked.list = static_cast<std::uint32_t>(lists_.size());
    }
    lists_[clocked.list - 1].set(lane, who.site, clock_[warp][lane]);
    party.first = who;
  }
}

void RaceObserver::on_warp_sync(std::uint32_t warp, std::uint32_t mask) {
  for_each_lane(mask, [&](std::uint32_t lane) {
    held_.release(warp * 32 + lane, [&](std::uint32_t thread, const HeldRead& read) {
      record_read(thread, read, plain_read);
    });
  });
  if (known_[warp].empty()) known_[warp].assign(32 * 32, 0);
  std::array<std::uint32_t, 32> joined{};
  for_each_lane(mask, [&](std::uint32_t a) { joined[a] = ++clock_[warp][a]; });  // none knows more
  for_each_lane(~mask, [&](std::uint32_t b) {
    for_each_lane(
        mask, [&](std::uint32_t a) { joined[b] = std::max(joined[b], known_[warp][a * 32 + b]); });
  });
  for_each_lane(mask, [&](std::uint32_t a) {
    std::copy(joined.begin(), joined.end(), known_[warp].begin() + a * 32);
  });
}

void RaceObserver::hold(const WarpAccess& access) {
  for_each_lane(access.active, [&](std::uint32_t lane) {
    held_.hold(
        access.warp * 32 + lane, {access.region, access.offset[lane], access.bytes, access.site},
        [&](std::uint32_t thread, const HeldRead& read) { record_read(thread, read, plain_read); });
  });
}

void RaceObserver::validate_or_release(const WarpAccess& access) {
  for_each_lane(access.active, [&](std::uint32_t lane) {
    held_.settle(
        access.warp * 32 + lane, {access.region, access.offset[lane], access.bytes, access.site},
        access.kind,
        [&](std::uint32_t thread, const HeldRead& read) { record_read(thread, read, plain_read); },
        // Part of the swap: only a plain write conflicts with it.
        [&](std::uint32_t thread, const HeldRead& read) {
          record_read(thread, read, volatile_read);
        });
  });
}

void RaceObserver::record_read(std::uint32_t thread, const HeldRead& read, Kind kind) {
  Shadow& shadow = shadow_of(*read.region, read.bytes, read.offset);
  make_room(shadow, kind, read.region->space == Space::shared);
  see(shadow, *read.region, read.offset, read.bytes, kind, AccessKind::load, read.site, thread);
}

void RaceObserver::release_held_reads() {
  held_.release_all(
      [&](std::uint32_t thread, const HeldRead& read) { record_read(thread, read, plain_read); });
}

void RaceObserver::note_read(const WarpAccess& access) {
  RecentReads& recent = recent_reads_[access.warp];
  recent.reads[recent.count++ % recent.reads.size()] = {access.region, access.site,  context_.epoch,
                                                        access.active, access.bytes, access.offset};
}

// Returns the site of the latest known read of the cell by a thread of this block, not before the
// epoch `since`.
std::optional<SiteNumber> RaceObserver::recent_read(const Region& region, std::uint32_t cell,
                                                    std::uint32_t thread,
                                                    std::uint32_t since) const {
  const RecentReads& recent = recent_reads_[thread / 32];
  const std::uint32_t lane = thread % 32, unit = shadows_[region.id].bytes_per_cell;
  for (std::size_t i = 1; i <= std::min<std::size_t>(recent.count, recent.reads.size()); ++i) {
    const RecentReads::Read& read = recent.reads[(recent.count - i) % recent.reads.size()];
    if (read.region != &region || read.epoch < since || (read.active >> lane & 1) == 0) continue;
    const std::uint32_t begin = read.offset[lane];
    if (begin < (cell + 1) * unit && cell * unit < begin + read.bytes) return read.site;
  }
  return std::nullopt;
}

// Returns another thread that has written the cell at the writer's site, in this epoch or in an
// earlier block.
std::optional<RaceSide> RaceObserver::other_writer(const Shadow& shadow, std::uint32_t cell,
                                                   const Place& writer) const {
  const CellState& state = shadow.state[cell];
  const SiteNumber site = writer.who.site;
  for (const Kind kind : {write, atomic, addition, overwrite}) {
    const Shadow::OfKind& of = shadow.of[kind];
    const auto side = [&](const Place& place) {
      return RaceSide{(*context_.sites)[site].kind, site, place.who.thread, place.block};
    };
    if ((state.now >> kind & 1) != 0)
      for (const Witness& who : {of.party[cell].first, of.party[cell].second})
        if (who.site == site && who.thread != Witness::nobody &&
            (who.thread != writer.who.thread || writer.block != context_.block))
          return side({who, context_.block});
    if ((state.earlier >> kind & 1) == 0 || of.previous.empty()) continue;
    const Place& last = of.previous[cell];
    if (last.who.site == site && last.block != writer.block) return side(last);
  }
  return std::nullopt;
}

// Returns the site at which the writer has read the cell before, if that is still known.
std::optional<SiteNumber> RaceObserver::read_before(const Shadow& shadow, std::uint32_t cell,
                                                    const Place& writer) const {
  for (const Kind kind : {plain_read, volatile_read}) {
    const Shadow::OfKind& of = shadow.of[kind];
    if (writer.block != context_.block) {
      if (of.previous.empty() || (shadow.state[cell].earlier >> kind & 1) == 0) continue;
      const Place& last = of.previous[cell];
      if (last.block == writer.block && last.who.thread == writer.who.thread) return last.who.site;
    } else if ((shadow.state[cell].now >> kind & 1) != 0) {
      for (const Witness& reader : {of.party[cell].second, of.party[cell].first})
        if (reader.thread == writer.who.thread) return reader.site;
    }
  }
  return std::nullopt;
}

std::size_t RaceObserver::report_race(const Region& region, std::uint32_t offset,
                                      std::uint32_t bytes, AccessKind access, Witness who,
                                      Kind other_kind, const Place& place) {
  const std::uint64_t key = std::uint64_t{region.id} << 40 | std::uint64_t{who.site} << 24 |
                            std::uint64_t{place.who.site} << 8 | other_kind << 1;
  // A racy kernel may make the same few races millions of times.
  Recent& recent = recent_[(who.site ^ place.who.site >> 2 ^ other_kind) % recent_.size()];
  if (recent.key == key) {
    context_.findings->again(recent.number);
    return recent.number;
  }
  const AccessKind other = other_kind >= atomic  ? AccessKind::atomic
                           : other_kind == write ? AccessKind::store
                                                 : AccessKind::load;
  const RaceSide later{access, who.site, who.thread, context_.block},
      earlier{other, place.who.site, place.who.thread, place.block};
  const auto [known, is_new] = reported_.try_emplace(key);
  ReportedRace& reported = known->second;
  if (is_new || reported.may_be_update) {
    const Shadow& shadow = shadows_[region.id];
    const std::uint32_t cell = offset / shadow.bytes_per_cell;
    const Place writer = writes(access) ? Place{who, context_.block} : place;
    ElementHistory history{read_before(shadow, cell, writer), other_writer(shadow, cell, writer)};
    // For a race with another block, reads before a barrier of this block count, too.
    const std::uint32_t since =
        place.block == context_.block ? context_.epoch : context_.block_epoch;
    if (!history.own_read && writes(access))
      history.own_read = recent_read(region, cell, who.thread, since);
    const bool is_update = is_lost_update(context_, later, earlier, history);
    if (is_new || is_update) {
      reported = {add_race(context_, region, offset, bytes, later, earlier, history),
                  !is_update && writes(access) != writes(other)};
      if (!reported.may_be_update) recent = {key, reported.number};
      return reported.number;
    }
  }
  if (!reported.may_be_update) recent = {key, reported.number};
  context_.findings->again(reported.number);
  return reported.number;
}

// Reports once per access, however many of its cells are unwritten.
void RaceObserver::report_if_unwritten(Shadow& shadow, std::uint32_t first, std::uint32_t last,
                                       const Region& region, std::uint32_t offset,
                                       std::uint32_t bytes, AccessKind access, SiteNumber site,
                                       std::uint32_t thread) {
  if (!uninitialized_ || region.space != Space::shared || !reads(access)) return;
  for (std::uint32_t cell = first; cell <= last; ++cell) {
    enter_epoch(shadow, cell, true);
    if (shadow.state[cell].written) continue;
    const std::uint64_t key = std::uint64_t{region.id} << 40 | std::uint64_t{site} << 24 | 1;
    if (const auto known = reported_.find(key); known != reported_.end())
      return context_.findings->again(known->second.number);
    const SetElements elements = count_set_elements(region, bytes, [&](std::uint64_t byte) {
      const auto of_byte = static_cast<std::uint32_t>(byte / shadow.bytes_per_cell);
      enter_epoch(shadow, of_byte, true);
      return shadow.state[of_byte].written;
    });
    reported_[key] = {add_uninitialized(context_, region, offset, bytes,
                                        cell * shadow.bytes_per_cell, access, site, thread,
                                        elements)};
    return;
  }
}

}  // namespace histolab::kernels::emulator

#include "kernels/emulator/observers/races.h"

#include <algorithm>

#include "kernels/emulator/observers/race_findings.h"

namespace histolab::kernels::emulator {
namespace {

// Which kinds a kind may not meet, as bits: plain reads, volatile reads, writes, atomics, atomics of block scope. Within a
// block and between blocks.
constexpr std::uint8_t conflicts[5] = {0b11100, 0b00100, 0b11111, 0b00101, 0b00101};
constexpr std::uint8_t conflicts_between_blocks[5] = {0b11100, 0b10100, 0b11111, 0b10101, 0b11111};

}  // namespace

RaceObserver::RaceObserver(LaunchContext& context, bool report_races, bool report_uninitialized)
    : context_(context), races_(report_races), uninitialized_(report_uninitialized) {
  const auto threads = context.config.block.count();
  shadows_.resize(context.window->regions().size());
  if (context.has_warp_sync) known_.resize((threads + 31) / 32), clock_.resize((threads + 31) / 32);
  if (context.has_compare_and_swap) held_.resize(static_cast<std::uint32_t>(threads));
}

void RaceObserver::on_block_begin() {
  for (auto& known : known_) known.clear();
  for (auto& clock : clock_) clock.fill(0);
  lists_.clear();
}

void RaceObserver::on_barrier() {
  release_held_reads();
  lists_.clear();
}

RaceObserver::Kind RaceObserver::kind_of(const WarpAccess& access) const {
  switch (access.kind) {
    case AccessKind::load: return plain_read;
    case AccessKind::volatile_load: return volatile_read;
    case AccessKind::store:
    case AccessKind::release: return write;
    case AccessKind::atomic:
    case AccessKind::compare_and_swap:
    case AccessKind::exchange: break;
  }
  const bool for_block = (*context_.sites)[access.site].scope == Scope::block && access.region->space != Space::shared;
  return for_block ? block_atomic : atomic;
}

void RaceObserver::on_access(const WarpAccess& access) {
  const Region& region = *access.region;
  if (!region.tracked_for_races()) return;
  if (held_.in_use() && region.space != Space::local) {
    if (access.kind == AccessKind::load) return hold(access);
    if (held_.any() && writes(access.kind)) validate_or_release(access);
  }
  Shadow& shadow = shadow_of(region, access.bytes, access.any_bits);
  const Kind kind = kind_of(access);
  if (kind == atomic && shadow.bytes_per_cell == 4 && access.bytes == 4) {
    const WordGroups& words = access.words();
    if (settled_.region != &region || settled_.epoch != context_.epoch) settled_ = {&region, context_.epoch, 0};
    if (words.words != 0 && (words.words & ~settled_.words) == 0) return;
    for (std::uint32_t i = 0; i < words.count; ++i) {
      const std::uint32_t offset = access.offset[static_cast<std::uint32_t>(__builtin_ctz(words.lanes[i]))];
      Cell& cell = shadow.cells[offset / 4];
      // What no look can change: a word of this epoch that has only been updated atomically, by enough threads.
      if (cell.epoch == context_.epoch && cell.now == 1u << atomic && cell.party[atomic].complete() && cell.written &&
          (cell.earlier & conflicts_between_blocks[atomic]) == 0) {
        if (offset / 4 < 64) settled_.words |= 1ull << offset / 4;
        continue;
      }
      see_group(cell, access, kind, words.lanes[i]);
    }
    return;
  }
  // Fewer words than lanes: then lanes share some.
  const bool shares = (access.highest - access.lowest) / 4 + 1 < static_cast<std::uint32_t>(__builtin_popcount(access.active));
  if (shares && shadow.bytes_per_cell == 4 && access.bytes == 4 && clock_.empty() && access.kind != AccessKind::release) {
    settled_.words = 0;
    const WordGroups& words = access.words();
    for (std::uint32_t i = 0; i < words.count; ++i)
      see_group(shadow.cells[access.offset[static_cast<std::uint32_t>(__builtin_ctz(words.lanes[i]))] / 4], access, kind, words.lanes[i]);
    return;
  }
  for_each_lane(access.active, [&](std::uint32_t lane) {
    see(shadow, region, access.offset[lane], access.bytes, kind, access.kind, access.site, access.warp * 32 + lane);
  });
  if (access.kind == AccessKind::release) shadow = {};
}

RaceObserver::Shadow& RaceObserver::shadow_of(const Region& region, std::uint32_t bytes, std::uint32_t low_bits) {
  if (region.id >= shadows_.size()) shadows_.resize(region.id + 1);  // allocated since
  Shadow& shadow = shadows_[region.id];
  if (shadow.cells.empty()) shadow.cells.resize(region.noted_bytes() / 4 + 1);
  const bool narrow = bytes < 4 || (low_bits & 3) != 0;
  if (!narrow || shadow.bytes_per_cell == 1) return shadow;
  std::vector<Cell> cells(region.noted_bytes() + 4);
  for (std::size_t i = 0; i < region.size; ++i) {
    cells[i] = shadow.cells[i / 4];
    if (i % 4 == 0 || cells[i].epoch != context_.epoch) continue;
    for (Party& party : cells[i].party) {  // each its own list
      if (party.list == 0) continue;
      lists_.push_back(WarpList(lists_[party.list - 1]));
      party.list = static_cast<std::uint32_t>(lists_.size());
    }
  }
  shadow.cells = std::move(cells);
  shadow.bytes_per_cell = 1;
  return shadow;
}

void RaceObserver::see(Shadow& shadow, const Region& region, std::uint32_t offset, std::uint32_t bytes, Kind kind,
                       AccessKind access, SiteNumber site, std::uint32_t thread) {
  settled_.words = 0;
  const std::uint32_t first = offset / shadow.bytes_per_cell, last = (offset + bytes - 1) / shadow.bytes_per_cell;
  for (std::uint32_t i = first; i <= last; ++i) see_cell(shadow.cells[i], region, offset, bytes, kind, access, site, thread);
}

// Lanes of one access in one word, which each cell is. After the first few the others are all alike.
void RaceObserver::see_group(Cell& cell, const WarpAccess& access, Kind kind, std::uint32_t lanes) {
  for (; lanes != 0; lanes &= lanes - 1) {
    if (clock_.empty() && (lanes & (lanes - 1)) != 0 && !changes_by_next(cell, access, kind)) return see_rest(cell, access, kind, lanes);
    const auto lane = static_cast<std::uint32_t>(__builtin_ctz(lanes));
    see_cell(cell, *access.region, access.offset[lane], access.bytes, kind, access.kind, access.site, access.warp * 32 + lane);
  }
}

// Would one more thread's access of this kind, at this site, be told otherwise than the next one's? Not if each kind that it
// may not meet has been made by two threads, at one site each, and its own kind too.
bool RaceObserver::changes_by_next(const Cell& cell, const WarpAccess& access, Kind kind) const {
  const bool may_be_unwritten = uninitialized_ && access.region->space == Space::shared && reads(access.kind) && !cell.written;
  if (cell.epoch != context_.epoch || (cell.now >> kind & 1) == 0 || may_be_unwritten) return true;
  std::uint32_t left = static_cast<std::uint32_t>(conflicts[kind] & cell.now) | 1u << kind;
  for (; left != 0; left &= left - 1) {
    const Party& party = cell.party[static_cast<std::uint32_t>(__builtin_ctz(left))];
    if (!party.complete() || party.first.site != party.second.site) return true;
  }
  return cell.party[kind].first.site != access.site;
}

void RaceObserver::see_rest(Cell& cell, const WarpAccess& access, Kind kind, std::uint32_t lanes) {
  const auto first = static_cast<std::uint32_t>(__builtin_ctz(lanes));
  const auto who = [&](std::uint32_t lane) { return Witness{access.site, static_cast<std::uint16_t>(access.warp * 32 + lane)}; };
  const auto report = [&](std::uint32_t other, const Place& place) {
    const std::size_t number = report_race(*access.region, access.offset[first], access.bytes, access.kind, who(first), static_cast<Kind>(other), place);
    context_.findings->again(number, static_cast<std::uint64_t>(__builtin_popcount(lanes)) - 1);
  };
  const bool shared = access.region->space == Space::shared;
  if (races_) {
    for (std::uint32_t met = conflicts[kind] & cell.now; met != 0; met &= met - 1) {
      const auto other = static_cast<std::uint32_t>(__builtin_ctz(met));
      report(other, {*not_ordered(cell.party[other], who(first)), context_.block});
    }
    if (const std::uint32_t met = conflicts_between_blocks[kind] & cell.earlier; met != 0 && !shared) {
      const auto other = static_cast<std::uint32_t>(__builtin_ctz(met));
      report(other, cell.previous[other]);
    }
  }
  cell.written |= kind >= write;
  const auto last = who(31 - static_cast<std::uint32_t>(__builtin_clz(lanes)));
  if (!shared) cell.latest[kind] = last;
  Party& party = cell.party[kind];
  const std::uint32_t own = party.first.thread / 32u == access.warp ? lanes & ~(1u << party.first.thread % 32u) : lanes;
  if (own != 0) party.second = who(31 - static_cast<std::uint32_t>(__builtin_clz(own)));
}

// Brings a cell that was last touched in an earlier epoch up to now.
void RaceObserver::enter_epoch(Cell& cell, bool shared) const {
  if (cell.epoch == context_.epoch) return;
  if (cell.epoch < context_.block_epoch) {  // another block's
    const std::uint32_t seen = cell.before | cell.now;
    for (std::uint32_t kind = 0; kind < kinds; ++kind)
      if (seen >> kind & 1) cell.previous[kind] = {cell.latest[kind], cell.block};
    if (!shared) cell.earlier |= static_cast<std::uint8_t>(seen);  // shared memory is another one in each block
    cell.before = 0;
    cell.block = context_.block;
    cell.written = false;
  } else {
    cell.before |= cell.now;
  }
  cell.now = 0;
  cell.epoch = context_.epoch;
  cell.party.fill({});
}

void RaceObserver::see_cell(Cell& cell, const Region& region, std::uint32_t offset, std::uint32_t bytes, Kind kind,
                            AccessKind access, SiteNumber site, std::uint32_t thread) {
  const bool shared = region.space == Space::shared;
  const Witness who{site, static_cast<std::uint16_t>(thread)};
  enter_epoch(cell, shared);
  if (uninitialized_ && shared && reads(access) && !cell.written) {
    const Shadow& shadow = shadows_[region.id];
    const auto byte = static_cast<std::uint32_t>(&cell - shadow.cells.data()) * shadow.bytes_per_cell;
    report_uninitialized(region, offset, bytes, byte, access, site, thread);
  }
  if (races_) {
    if (const std::uint32_t met = conflicts[kind] & cell.now; met != 0) {
      for (std::uint32_t other = 0; other < kinds; ++other) {
        if ((met >> other & 1) == 0) continue;
        if (const auto witness = not_ordered(cell.party[other], who))
          report_race(region, offset, bytes, access, who, static_cast<Kind>(other), {*witness, context_.block});
      }
    }
    if (const std::uint32_t met = conflicts_between_blocks[kind] & cell.earlier; met != 0 && !shared) {
      const auto other = static_cast<std::uint32_t>(__builtin_ctz(met));
      report_race(region, offset, bytes, access, who, static_cast<Kind>(other), cell.previous[other]);
    }
  }
  cell.now |= static_cast<std::uint8_t>(1u << kind);
  cell.written |= kind >= write;
  join(cell.party[kind], who);
  if (!shared) cell.latest[kind] = who;
}

// One of the party whose access has not happened before what `next` does now: at the same site, if there is one, unless
// any will do.
std::optional<RaceObserver::Witness> RaceObserver::not_ordered(const Party& party, Witness next, bool any) const {
  const bool by_warp = !clock_.empty();
  const auto apart = [&](Witness w) { return by_warp ? w.thread / 32 != next.thread / 32 : w.thread != next.thread; };
  if (party.first.thread == Witness::nobody) return std::nullopt;
  if (party.complete()) {
    if (!apart(party.first)) return party.second;
    return party.first.site == next.site || !apart(party.second) ? party.first : party.second;
  }
  if (apart(party.first)) return party.first;
  return by_warp ? not_ordered_lane(party, next, any) : std::nullopt;
}

// The same among the lanes of a warp.
std::optional<RaceObserver::Witness> RaceObserver::not_ordered_lane(const Party& party, Witness next, bool any) const {
  const std::uint32_t warp = next.thread / 32u, me = next.thread % 32u;
  const auto knows = [&](std::uint32_t lane, std::uint32_t when) {
    return lane == me || (!known_[warp].empty() && known_[warp][me * 32 + lane] > when);
  };
  if (party.list == 0) return knows(party.first.thread % 32u, party.when) ? std::nullopt : std::optional(party.first);
  const WarpList& list = lists_[party.list - 1];
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

void RaceObserver::join(Party& party, Witness who) {
  if (clock_.empty()) {
    const bool is_first = party.first.thread == Witness::nobody || party.first.thread == who.thread;
    (is_first ? party.first : party.second) = who;
    return;
  }
  const std::uint32_t warp = who.thread / 32u, lane = who.thread % 32u;
  if (party.complete()) {
    (party.first.thread / 32u == warp ? party.first : party.second) = who;
  } else if (!not_ordered(party, who, true)) {  // it stands for all
    party = {who, {}, clock_[warp][lane], 0};
  } else if (party.first.thread / 32u != warp) {
    party.second = who;
  } else {
    if (party.list == 0) {
      lists_.emplace_back().set(party.first.thread % 32u, party.first.site, party.when);
      party.list = static_cast<std::uint32_t>(lists_.size());
    }
    lists_[party.list - 1].set(lane, who.site, clock_[warp][lane]);
    party.first = who;
  }
}

void RaceObserver::on_warp_sync(std::uint32_t warp, std::uint32_t mask) {
  for_each_lane(mask, [&](std::uint32_t lane) {
    held_.release(warp * 32 + lane, [&](std::uint32_t thread, const HeldRead& read) { see_read(thread, read, plain_read); });
  });
  if (known_[warp].empty()) known_[warp].assign(32 * 32, 0);
  std::array<std::uint32_t, 32> joined{};
  for_each_lane(mask, [&](std::uint32_t a) {
    joined[a] = std::max(joined[a], ++clock_[warp][a]);
    for (std::uint32_t b = 0; b < 32; ++b) joined[b] = std::max(joined[b], known_[warp][a * 32 + b]);
  });
  for_each_lane(mask, [&](std::uint32_t a) { std::copy(joined.begin(), joined.end(), known_[warp].begin() + a * 32); });
}

void RaceObserver::hold(const WarpAccess& access) {
  for_each_lane(access.active, [&](std::uint32_t lane) {
    held_.hold(access.warp * 32 + lane, {access.region, access.offset[lane], access.bytes, access.site},
               [&](std::uint32_t thread, const HeldRead& read) { see_read(thread, read, plain_read); });
  });
}

void RaceObserver::validate_or_release(const WarpAccess& access) {
  for_each_lane(access.active, [&](std::uint32_t lane) {
    held_.settle(
        access.warp * 32 + lane, {access.region, access.offset[lane], access.bytes, access.site}, access.kind,
        [&](std::uint32_t thread, const HeldRead& read) { see_read(thread, read, plain_read); },
        // Part of the swap: it may meet all but a plain write.
        [&](std::uint32_t thread, const HeldRead& read) { see_read(thread, read, volatile_read); });
  });
}

void RaceObserver::see_read(std::uint32_t thread, const HeldRead& read, Kind kind) {
  Shadow& shadow = shadow_of(*read.region, read.bytes, read.offset);
  const AccessKind access = kind == plain_read ? AccessKind::load : AccessKind::volatile_load;
  see(shadow, *read.region, read.offset, read.bytes, kind, access, read.site, thread);
}

void RaceObserver::release_held_reads() {
  held_.release_all([&](std::uint32_t thread, const HeldRead& read) { see_read(thread, read, plain_read); });
}

void RaceObserver::on_launch_end() {
  const std::vector<Finding>& findings = context_.findings->findings();
  for (const std::size_t number : same_value_.findings(findings)) context_.undecided.insert(findings[number].variable);
}

std::size_t RaceObserver::report_race(const Region& region, std::uint32_t offset, std::uint32_t bytes, AccessKind access, Witness who,
                               Kind other_kind, const Place& place) {
  const std::uint64_t key =
      std::uint64_t{region.id} << 40 | std::uint64_t{who.site} << 24 | std::uint64_t{place.who.site} << 8 | other_kind << 1;
  // A racy kernel makes the same few millions of times.
  Recent& recent = recent_[(who.site ^ place.who.site >> 2 ^ other_kind) % recent_.size()];
  if (recent.key == key) {
    context_.findings->again(recent.number);
    return recent.number;
  }
  if (const auto known = reported_.find(key); known != reported_.end()) {
    recent = {key, known->second};
    context_.findings->again(known->second);
    return known->second;
  }
  const AccessKind other = other_kind >= atomic ? AccessKind::atomic : other_kind == write ? AccessKind::store : AccessKind::load;
  const std::size_t number = reported_[key] = context_.findings->add(
      race_finding(context_, region, offset, bytes, {access, who.site, who.thread, context_.block}, {other, place.who.site, place.who.thread, place.block}));
  same_value_.saw(number, access == AccessKind::store && other == AccessKind::store);
  return number;
}

void RaceObserver::report_uninitialized(const Region& region, std::uint32_t offset, std::uint32_t bytes, std::uint32_t byte,
                                        AccessKind access, SiteNumber site, std::uint32_t thread) {
  const std::uint64_t key = std::uint64_t{region.id} << 40 | std::uint64_t{site} << 24 | 1;
  if (const auto known = reported_.find(key); known != reported_.end()) return context_.findings->again(known->second);
  reported_[key] = context_.findings->add(uninitialized_finding(context_, region, offset, bytes, byte, access, site, thread));
}

}  // namespace histolab::kernels::emulator

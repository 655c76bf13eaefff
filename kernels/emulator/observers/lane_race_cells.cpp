// LaneRaces: the accesses that are kept per cell of memory, and the races with them.
#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include "kernels/emulator/observers/lane_races.h"

namespace histolab::kernels::emulator {
namespace {

// Per kind: the kinds that conflict with it, as bits, the first kind lowest. Within a block, and
// between blocks.
constexpr std::uint8_t lane_conflicts[8] = {0b11111100, 0b00000100, 0b11111111, 0b00001101,
                                            0b00000101, 0b00000101, 0b10000101, 0b01000101};
constexpr std::uint8_t lane_conflicts_between_blocks[8] = {
    0b11111100, 0b00100100, 0b11111111, 0b00101101, 0b00100101, 0b11111111, 0b10100101, 0b01100101};

}  // namespace

LaneRaces::Shadow& LaneRaces::shadow_of(const Region& region) {
  if (region.id >= shadows_.size()) shadows_.resize(region.id + 1);
  Shadow& shadow = shadows_[region.id];
  if (shadow.times_handed_out != region.times_handed_out)
    shadow = {.times_handed_out = region.times_handed_out};
  return shadow;
}

LaneRaces::Shadow& LaneRaces::shadow_of(const Region& region, std::uint32_t bytes,
                                        std::uint32_t offset) {
  Shadow& shadow = shadow_of(region);
  if (shadow.cells.empty()) shadow.cells.resize(region.noted_bytes() / 4 + 1);
  const bool narrow = bytes < 4 || (offset & 3) != 0;
  if (!narrow || shadow.bytes_per_cell == 1) return shadow;
  std::vector<Cell> cells(region.noted_bytes() + 4);
  for (std::size_t i = 0; i < cells.size() && i / 4 < shadow.cells.size(); ++i) {
    cells[i] = shadow.cells[i / 4];
    for (Entry& entry : cells[i].entries) entry.value = entry.value >> 8 * (i % 4) & 0xff;
  }
  shadow.bytes_per_cell = 1;
  shadow.cells = std::move(cells);
  return shadow;
}

void LaneRaces::touch(const Region& region, std::uint32_t offset, std::uint32_t bytes,
                      AccessKind access, const Entry& made) {
  Shadow& shadow = shadow_of(region, bytes, offset);
  Entry entry = made;
  bool told = !uninitialized_ || region.space != Space::shared || !reads(access);
  const std::uint32_t unit = shadow.bytes_per_cell, first = offset / unit,
                      last = (offset + bytes - 1) / unit;
  if (races_) judge(shadow.freed, region, offset, bytes, access, entry);
  for (std::uint32_t i = first; i <= last; ++i) {
    Cell& cell = shadow.cells[i];
    enter_block(cell, region);
    if (!told && !cell.written) {
      told = true;
      const std::uint64_t key =
          std::uint64_t{region.id} << 40 | std::uint64_t{entry.site} << 24 | 1;
      if (const auto known = reported_.find(key); known != reported_.end())
        context_.findings->again(known->second.number);
      else
        reported_[key] = {add_uninitialized(
            context_, region, offset, bytes, i * unit, access, entry.site, entry.thread,
            count_set_elements(region, bytes, [&](std::uint64_t byte) {
              Cell& other = shadow.cells[byte / unit];
              enter_block(other, region);
              return other.written;
            }))};
    }
    if (is_store(entry)) std::memcpy(&entry.value, region.begin + std::size_t{i} * unit, unit);
    entry.several_values = interrupted_;
    if (writes(access)) entry.own_read = read_before(cell, entry);
    if (races_) {
      if ((cell.kinds & (lane_conflicts[entry.kind] | lane_conflicts_between_blocks[entry.kind])) !=
          0)
        judge(cell.entries, region, offset, bytes, access, entry);
      record(cell, entry);
    }
    cell.written |= writes(access);
  }
}

std::optional<SiteNumber> LaneRaces::read_before(const Cell& cell, const Entry& store) {
  const auto own = std::ranges::find_if(cell.entries, [&](const Entry& e) {
    return e.kind <= volatile_read && e.thread == store.thread &&
           e.when.block == store.when.block && e.when.epoch == store.when.epoch;
  });
  return own == cell.entries.end() ? std::nullopt : std::optional(own->site);
}

// Returns another thread that has written the cell at the same site.
std::optional<RaceSide> LaneRaces::other_writer(const std::vector<Entry>& entries,
                                                const Entry& writer) const {
  const auto another = std::ranges::find_if(entries, [&](const Entry& e) {
    return e.kind > volatile_read && e.site == writer.site &&
           (e.thread != writer.thread || e.when.block != writer.when.block);
  });
  if (another == entries.end()) return std::nullopt;
  return RaceSide{(*context_.sites)[another->site].kind, another->site, another->thread,
                  another->when.block};
}

void LaneRaces::enter_block(Cell& cell, const Region& region) const {
  if (cell.block == context_.block + 1) return;
  if (region.space == Space::shared)
    cell = {};  // each block has its own
  else
    forget_earlier_blocks(cell.entries);
  cell.block = context_.block + 1;
}

bool LaneRaces::ordered(const Entry& earlier, const Entry& later) const {
  const bool same_block = earlier.when.block == later.when.block;
  if (same_block && (earlier.thread == later.thread || earlier.when.epoch < later.when.epoch))
    return true;
  // If an addition reads the value of an overwrite, or the reverse, this does not order the two: it
  // is the race itself.
  const bool are_atomic = earlier.kind >= addition && later.kind >= addition;
  return (are_atomic ? before_acquire_ : threads_[later.thread].known).knows(earlier.when);
}

bool LaneRaces::conflict(const Entry& one, const Entry& other) const {
  const bool same_block = one.when.block == other.when.block;
  return ((same_block ? lane_conflicts : lane_conflicts_between_blocks)[one.kind] >> other.kind &
          1) != 0;
}

// Reports the races of `entry` with these entries, once per pair of lines.
void LaneRaces::judge(const std::vector<Entry>& entries, const Region& region, std::uint32_t offset,
                      std::uint32_t bytes, AccessKind access, const Entry& entry) {
  std::vector<std::uint64_t> told;
  for (const Entry& other : entries) {
    if (!conflict(entry, other) || ordered(other, entry)) continue;
    const bool alone = second_look_ || other.stands_for_others == Entry::nothing ||
                       (other.stands_for_others == Entry::of_earlier_epochs &&
                        other.when.block == entry.when.block);
    const bool frees =
        access == AccessKind::release || (*context_.sites)[other.site].kind == AccessKind::release;
    const bool same_value = !frees && is_store(entry) && is_store(other) && alone &&
                            entry.value == other.value && !entry.several_values &&
                            !other.several_values;
    const std::uint64_t key = std::uint64_t{region.id} << 40 | std::uint64_t{entry.site} << 24 |
                              std::uint64_t{other.site} << 8 | std::uint64_t{other.kind} << 1;
    if (std::ranges::find(told, key | same_value) != told.end()) continue;
    told.push_back(key | same_value);
    const auto [known, is_new] = reported_.try_emplace(key);
    const AccessKind kind = other.kind >= atomic ? AccessKind::atomic
                            : !is_store(other)   ? AccessKind::load
                                                 : (*context_.sites)[other.site].kind;
    const RaceSide later{access, entry.site, entry.thread, context_.block},
        earlier{kind, other.site, other.thread, other.when.block};
    const Entry& writer = writes(access) ? entry : other;
    const ElementHistory history{writer.own_read, other_writer(entries, writer)};
    const bool is_update = (is_new || known->second.may_be_update) &&
                           is_lost_update(context_, later, earlier, history);
    if (is_new || is_update)
      known->second = {add_race(context_, region, offset, bytes, later, earlier, history),
                       !is_update && writes(access) != writes(kind)};
    else
      context_.findings->again(known->second.number);
    const std::size_t number = known->second.number;
    bool& only = only_same_value_.try_emplace(number, true).first->second;
    if (same_value || !std::exchange(only, false)) continue;
    if (context_.undecided.erase(race_name(context_.findings->findings()[number])) != 0)
      context_.decided = context_.undecided.empty();
  }
}

// Returns true if `entry` need not be kept, because the cell has two other accesses of its kind in
// this epoch. No later access is ordered after both of them, unless the kernel uses fences.
bool LaneRaces::adds_nothing(const std::vector<Entry>& entries, const Entry& entry) const {
  if (context_.has_fence) return false;
  const Entry* other = nullptr;
  for (const Entry& e : entries) {
    if (e.kind != entry.kind || e.when.block != entry.when.block ||
        e.when.epoch != entry.when.epoch)
      continue;
    if (e.thread == entry.thread) return false;
    if (is_store(entry) && e.site != entry.site) continue;
    if (other != nullptr && (!context_.has_warp_sync || e.thread / 32 != other->thread / 32)) {
      // Keep two different values, if this site has stored them: a later store must be compared
      // with one that stored another value.
      const bool differ = e.several_values || other->several_values || e.value != other->value;
      const bool is_alike = !entry.several_values && entry.value == e.value;
      if (!is_store(entry) || differ || is_alike) return true;
    }
    other = &e;
  }
  return false;
}

// Adds `entry` to the cell, and removes the entries that it makes unnecessary. An access that is
// ordered after `entry` is ordered after those, and one that races with those races with `entry`.
void LaneRaces::record(Cell& cell, Entry entry) const {
  std::vector<Entry>& entries = cell.entries;
  if (adds_nothing(entries, entry)) return;
  cell.kinds |= static_cast<std::uint8_t>(1u << entry.kind);
  if (entry.kind >= publish) {  // a thread that knows it may not know all earlier epochs
    const auto own = std::ranges::find_if(entries, [&](const Entry& e) {
      return e.thread == entry.thread && e.kind == entry.kind && e.when.block == entry.when.block;
    });
    if (own == entries.end()) return entries.push_back(entry);
    if (entry.kind == publish)
      entry.several_values |= own->several_values || own->value != entry.value;
    *own = entry;
    return;
  }
  std::erase_if(entries, [&](const Entry& e) {
    const bool same_kind = e.when.block == entry.when.block && e.kind == entry.kind;
    if (same_kind && (e.thread == entry.thread || e.when.epoch < entry.when.epoch)) {
      if (e.when.epoch == entry.when.epoch)
        entry.several_values |= e.several_values || e.value != entry.value;
      if (e.when.epoch == entry.when.epoch && e.when.clock == entry.when.clock)
        entry.brought_news |= e.brought_news && e.thread == entry.thread;
      if (entry.kind != write) return true;
    } else if (entry.kind != write || !ordered(e, entry)) {
      return false;
    }
    if (is_store(e) && e.stands_for_others == Entry::nothing) return true;
    const bool by_now =
        e.when.block == entry.when.block &&
        (e.when.epoch < entry.when.epoch || e.stands_for_others == Entry::of_earlier_epochs);
    entry.stands_for_others =
        std::max(entry.stands_for_others, by_now ? Entry::of_earlier_epochs : Entry::of_this_time);
    return true;
  });
  entries.push_back(entry);
}

void LaneRaces::forget_earlier_blocks(std::vector<Entry>& entries) const {
  std::array<std::size_t, kinds> kept{};
  std::vector<Entry> left;
  for (auto e = entries.rbegin(); e != entries.rend(); ++e) {
    if (ever_released_.knows(e->when)) {
      if (kept[e->kind]++ < most_of_earlier_blocks) left.push_back(*e);
      continue;
    }
    const auto like_it = std::ranges::find_if(left, [&](const Entry& l) {
      return l.kind == e->kind && l.site == e->site && !ever_released_.knows(l.when);
    });
    if (like_it == left.end()) {
      left.push_back(*e);
      continue;
    }
    like_it->several_values |= e->several_values || e->value != like_it->value;
    like_it->stands_for_others = std::max(like_it->stands_for_others, e->stands_for_others);
  }
  std::ranges::reverse(left);
  entries = std::move(left);
}

}  // namespace histolab::kernels::emulator

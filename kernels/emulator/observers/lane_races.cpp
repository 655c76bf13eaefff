#include "kernels/emulator/observers/lane_races.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "kernels/emulator/messages.h"
#include "kernels/emulator/observers/race_findings.h"

namespace histolab::kernels::emulator {
namespace {

// Which kinds a kind may not meet, as bits: plain reads, volatile reads, writes, publishing writes, atomics, atomics of
// block scope. Within a block and between blocks.
constexpr std::uint8_t lane_conflicts[6] = {0b111100, 0b000100, 0b111111, 0b001101, 0b000101, 0b000101};
constexpr std::uint8_t lane_conflicts_between_blocks[6] = {0b111100, 0b100100, 0b111111, 0b101101, 0b100101, 0b111111};

// At each place each thread's two clocks are known, to the block and to all, and of earlier blocks what they released.
std::size_t places_in_memory(const LaunchConfig& config) {
  constexpr std::uint64_t memory = 64 << 20, least = 1024, most = 64 * 1024;
  return std::clamp(memory / (16 * config.block.count() + 24 * config.grid.count()), least, most);
}

constexpr std::uint64_t place_of(const Region& region, std::uint32_t offset) { return std::uint64_t{region.id} << 32 | offset; }

}  // namespace

LaneRaces::LaneRaces(LaunchContext& context, bool report_races, bool report_uninitialized)
    : context_(context), races_(report_races), uninitialized_(report_uninitialized), most_places_(places_in_memory(context.config)) {
  shadows_.resize(context.window->regions().size());
  threads_.resize(context.config.block.count());
  if (context.has_compare_and_swap) held_.resize(static_cast<std::uint32_t>(threads_.size()));
}

void LaneRaces::on_block_begin() {
  const Knowledge nothing(context_.block);
  for (Thread& thread : threads_) thread = {0, 0, nothing, nothing, nothing};
  epoch_ = 0;
  ever_released_.enter_block(context_.block);
  std::erase_if(released_, [](const auto& entry) { return entry.second.is_shared; });
}

void LaneRaces::on_block_end() {
  finish_stores();
  held_.release_all([&](std::uint32_t thread, const HeldRead& read) { see_read(thread, read, false); });
}

void LaneRaces::on_launch_end() {
  for (const std::size_t number : same_value_.findings(context_.findings->findings()))
    context_.findings->soften(number, same_value_message(context_.findings->findings()[number]));
}

// ---- what orders ------------------------------------------------------------------------------------------------------

void LaneRaces::learn_own(Knowledge& knowledge, std::uint32_t thread) const {
  const auto count = static_cast<std::uint32_t>(threads_.size());
  knowledge.add(thread, threads_[thread].clock, 2 * count);
  if (threads_[thread].operations != 0) knowledge.add(count + thread, threads_[thread].operations, 2 * count);
}

void LaneRaces::on_fence(std::uint32_t lane, Scope scope) {
  finish_stores();
  release_held_reads(lane);
  Thread& thread = threads_[lane];
  ++thread.clock;
  thread.published_to_block = thread.known;
  learn_own(thread.published_to_block, lane);
  if (scope == Scope::device) thread.published_to_all = thread.published_to_block;
  if (thread.touched) thread.may_publish = thread.unpublished;
  thread.touched = thread.unpublished = false;
}

void LaneRaces::join(const std::vector<std::uint32_t>& threads) {
  const Knowledge nothing(context_.block);
  Thread together{0, 0, nothing, nothing, nothing};
  for (const std::uint32_t t : threads) {
    together.known.join(threads_[t].known);
    together.published_to_block.join(threads_[t].published_to_block);
    together.published_to_all.join(threads_[t].published_to_all);
    together.may_publish |= threads_[t].may_publish;
  }
  for (const std::uint32_t t : threads) {
    Thread& thread = threads_[t];
    thread.known = together.known;
    thread.published_to_block = together.published_to_block;
    thread.published_to_all = together.published_to_all;
    thread.may_publish = together.may_publish;
  }
}

void LaneRaces::on_warp_sync(std::uint32_t warp, std::uint32_t mask) {
  finish_stores();
  std::vector<std::uint32_t> lanes;
  for_each_lane(mask, [&](std::uint32_t lane) {
    const std::uint32_t thread = warp * 32 + lane;
    if (thread >= threads_.size()) return;
    release_held_reads(thread);
    ++threads_[thread].clock;
    learn_own(threads_[thread].known, thread);
    lanes.push_back(thread);
  });
  join(lanes);
}

void LaneRaces::on_barrier() {
  on_block_end();
  std::vector<std::uint32_t> all(threads_.size());
  for (std::uint32_t i = 0; i < all.size(); ++i) all[i] = i;
  join(all);
  ++epoch_;
  for (Thread& thread : threads_) thread.known.add_epochs_before(epoch_);
}

LaneRaces::Released& LaneRaces::released_at(const LaneAccess& access) {
  const std::uint64_t place = place_of(*access.region, access.offset);
  const auto known = released_.find(place);
  if (known != released_.end()) return known->second;
  if (released_.size() >= most_places_) {
    if (races_ && elsewhere_.version == 0) tell_of_too_many(access);
    return elsewhere_;
  }
  Released& released = released_[place];
  released.is_shared = access.region->space == Space::shared;
  return released;
}

void LaneRaces::tell_of_too_many(const LaneAccess& access) {
  Finding finding;
  finding.kind = FindingKind::unsupported;
  finding.severity = Severity::note;
  finding.space = access.region->space;
  finding.variable = access.region->name;
  finding.line = context_.line(access.site);
  finding.thread = context_.thread_id(access.lane);
  finding.message = too_many_releases_message(finding, most_places_);
  context_.findings->add(std::move(finding));
}

void LaneRaces::release(const LaneAccess& access, Kind kind) {
  Thread& thread = threads_[access.lane];
  if (thread.published_to_block.empty()) return;
  const auto count = static_cast<std::uint32_t>(threads_.size());
  Released& released = released_at(access);
  const auto give = [&](Knowledge& to, const Knowledge& published) {
    to.join(published);
    to.add(count + access.lane, thread.operations, 2 * count);
  };
  released.version = ++versions_;
  if (released.to_block.block() != context_.block) released.to_block = Knowledge(context_.block);
  give(released.to_block, thread.published_to_block);
  if (kind == block_atomic || thread.published_to_all.empty()) return;
  released.to_all.enter_block(context_.block);
  give(released.to_all, thread.published_to_all);
  ever_released_.join_own_block(released.to_all);
}

void LaneRaces::acquire(const LaneAccess& access, Kind kind) {
  if (released_.empty()) return;
  const auto found = released_.find(place_of(*access.region, access.offset));
  Released& released = found != released_.end() ? found->second : elsewhere_;
  const bool from_block = released.to_block.block() == context_.block && !released.to_block.empty();
  const bool from_all = kind != block_atomic && !released.to_all.empty();
  if (!from_block && !from_all) return;
  release_held_reads(access.lane);
  if (std::exchange(threads_[access.lane].acquired, 2 * released.version + from_all) == 2 * released.version + from_all) return;
  if (from_block) threads_[access.lane].known.join(released.to_block);
  if (!from_all) return;
  released.to_all.enter_block(context_.block);
  threads_[access.lane].known.join(released.to_all);
}

void LaneRaces::end_releases(const LaneAccess& store) {
  if (released_.empty()) return;
  for (std::uint32_t i = 0; i < store.bytes; ++i) released_.erase(place_of(*store.region, store.offset + i));
}

// ---- accesses ---------------------------------------------------------------------------------------------------------

void LaneRaces::on_lane_access(const LaneAccess& access) {
  if (!access.belongs_to_last) finish_stores();
  if (!access.region->tracked_for_races()) return;
  if (!writes(access.kind)) return see(access);
  if (access.kind == AccessKind::release) {
    held_.release_all([&](std::uint32_t thread, const HeldRead& read) { see_read(thread, read, false); });
    return see(access);
  }
  if (held_.in_use())
    held_.settle(
        access.lane, {access.region, access.offset, access.bytes, access.site}, access.kind,
        [&](std::uint32_t thread, const HeldRead& read) { see_read(thread, read, false); },
        [&](std::uint32_t thread, const HeldRead& read) { see_read(thread, read, true); });
  if (is_atomic(access.kind)) return see(access);
  stores_.push_back(access);
}

void LaneRaces::finish_stores() {
  for (const LaneAccess& store : stores_) see(store);
  stores_.clear();
}

void LaneRaces::see(const LaneAccess& access) {
  const Kind kind = kind_of(access);
  Thread& thread = threads_[access.lane];
  thread.touched = true;
  thread.unpublished |= kind < atomic;
  if (kind == write) thread.may_publish = false;
  if (kind == plain_read && held_.in_use())
    return held_.hold(access.lane, {access.region, access.offset, access.bytes, access.site},
                      [&](std::uint32_t lane, const HeldRead& read) { see_read(lane, read, false); });
  const bool news = kind == volatile_read && sees_news(access);
  Entry entry = made_now(access.lane, kind, access.site);
  if (access.kind == AccessKind::release) return see_release(*access.region, entry);
  if (kind == write || kind == publish) end_releases(access);
  if (kind == publish || (kind >= atomic && (access.updates || access.kind != AccessKind::compare_and_swap))) release(access, kind);
  if (kind == volatile_read || kind >= atomic) acquire(access, kind);
  entry.when.clock = kind >= publish ? entry.when.clock : thread.clock;
  entry.brought_news = news;
  touch(*access.region, access.offset, access.bytes, access.kind, entry);
}

// Who frees memory writes all of it, and is the last one to do so before it is handed out again.
void LaneRaces::see_release(const Region& region, const Entry& entry) {
  Shadow& shadow = shadow_of(region);
  if (races_)
    for (const Cell& cell : shadow.cells) judge(cell.entries, region, 0, static_cast<std::uint32_t>(region.size), AccessKind::release, entry);
  shadow = {.times_handed_out = region.times_handed_out, .freed = {entry}};
  std::erase_if(released_, [&](const auto& of) { return of.first >> 32 == region.id; });
}

void LaneRaces::see_read(std::uint32_t thread, const HeldRead& read, bool validated) {
  if (read.offset + read.bytes > read.region->noted_bytes()) return;  // its memory was handed out again since
  // Part of a swap: it may meet all but a plain write.
  const AccessKind access = validated ? AccessKind::volatile_load : AccessKind::load;
  touch(*read.region, read.offset, read.bytes, access, made_now(thread, validated ? volatile_read : plain_read, read.site));
}

void LaneRaces::release_held_reads(std::uint32_t thread) {
  if (held_.any()) held_.release(thread, [&](std::uint32_t t, const HeldRead& read) { see_read(t, read, false); });
}

LaneRaces::Kind LaneRaces::kind_of(const LaneAccess& access) {
  switch (access.kind) {
    case AccessKind::load: return plain_read;
    case AccessKind::volatile_load: return volatile_read;
    case AccessKind::store:
    case AccessKind::release: break;
    case AccessKind::atomic:
    case AccessKind::compare_and_swap:
    case AccessKind::exchange: return access.scope == Scope::block && access.region->space != Space::shared ? block_atomic : atomic;
  }
  if (!access.is_volatile || !threads_[access.lane].may_publish) return write;
  const Shadow& shadow = shadow_of(*access.region, access.bytes, access.offset);
  const auto reacts = [&](const Entry& e) {
    return e.brought_news && e.thread == access.lane && e.when.block == context_.block && e.when.epoch == epoch_ &&
           e.when.clock == threads_[access.lane].clock;
  };
  return std::ranges::any_of(shadow.cells[access.offset / shadow.bytes_per_cell].entries, reacts) ? write : publish;
}

// Does this volatile read see what another thread published right there, and of which it knew nothing so far?
bool LaneRaces::sees_news(const LaneAccess& read) {
  const Shadow& shadow = shadow_of(*read.region, read.bytes, read.offset);
  const Cell& cell = shadow.cells[read.offset / shadow.bytes_per_cell];
  if (cell.block != context_.block + 1 && read.region->space == Space::shared) return false;
  return std::ranges::any_of(cell.entries, [&](const Entry& e) {
    const bool own = e.thread == read.lane && e.when.block == context_.block;
    return e.kind == publish && !own && !threads_[read.lane].known.knows(e.when);
  });
}

LaneRaces::Entry LaneRaces::made_now(std::uint32_t lane, Kind kind, SiteNumber site) {
  Thread& thread = threads_[lane];
  Entry entry;
  entry.thread = static_cast<std::uint16_t>(lane);
  entry.when = {context_.block, epoch_, thread.clock, entry.thread};
  if (kind >= publish) {
    entry.when.thread = static_cast<std::uint16_t>(threads_.size() + lane);
    entry.when.clock = thread.operations++;
  }
  entry.kind = kind;
  entry.site = site;
  return entry;
}

LaneRaces::Shadow& LaneRaces::shadow_of(const Region& region) {
  if (region.id >= shadows_.size()) shadows_.resize(region.id + 1);  // allocated since
  Shadow& shadow = shadows_[region.id];
  if (shadow.times_handed_out != region.times_handed_out) shadow = {.times_handed_out = region.times_handed_out};
  return shadow;
}

LaneRaces::Shadow& LaneRaces::shadow_of(const Region& region, std::uint32_t bytes, std::uint32_t offset) {
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

void LaneRaces::touch(const Region& region, std::uint32_t offset, std::uint32_t bytes, AccessKind access, const Entry& made) {
  Shadow& shadow = shadow_of(region, bytes, offset);
  Entry entry = made;
  bool told = !uninitialized_ || region.space != Space::shared || !reads(access);
  const std::uint32_t unit = shadow.bytes_per_cell, first = offset / unit, last = (offset + bytes - 1) / unit;
  if (races_) judge(shadow.freed, region, offset, bytes, access, entry);
  for (std::uint32_t i = first; i <= last; ++i) {
    Cell& cell = shadow.cells[i];
    enter_block(cell, region);
    if (!told && !cell.written) {
      told = true;
      const std::uint64_t key = std::uint64_t{region.id} << 40 | std::uint64_t{entry.site} << 24 | 1;
      if (const auto known = reported_.find(key); known != reported_.end()) context_.findings->again(known->second);
      else reported_[key] = context_.findings->add(uninitialized_finding(context_, region, offset, bytes, i * unit, access, entry.site, entry.thread));
    }
    if (entry.kind == write || entry.kind == publish) std::memcpy(&entry.value, region.begin + std::size_t{i} * unit, std::min<std::size_t>(unit, region.size - std::size_t{i} * unit));
    if (races_) {
      if ((cell.kinds & (lane_conflicts[entry.kind] | lane_conflicts_between_blocks[entry.kind])) != 0)
        judge(cell.entries, region, offset, bytes, access, entry);
      record(cell, entry);
    }
    cell.written |= writes(access);
  }
}

void LaneRaces::enter_block(Cell& cell, const Region& region) const {
  if (cell.block == context_.block + 1) return;
  if (region.space == Space::shared) cell = {};  // another one in each block
  else forget_earlier_blocks(cell.entries);
  cell.block = context_.block + 1;
  cell.written = false;
}

bool LaneRaces::ordered(const Entry& earlier, const Entry& later) const {
  const bool same_block = earlier.when.block == later.when.block;
  if (same_block && (earlier.thread == later.thread || earlier.when.epoch < later.when.epoch)) return true;
  return threads_[later.thread].known.knows(earlier.when);
}

bool LaneRaces::conflict(const Entry& one, const Entry& other) const {
  const bool same_block = one.when.block == other.when.block;
  return ((same_block ? lane_conflicts : lane_conflicts_between_blocks)[one.kind] >> other.kind & 1) != 0;
}

// Tells each race with an entry once for the lines involved.
void LaneRaces::judge(const std::vector<Entry>& entries, const Region& region, std::uint32_t offset, std::uint32_t bytes, AccessKind access,
                      const Entry& entry) {
  std::vector<std::uint64_t> told;
  for (const Entry& other : entries) {
    if (!conflict(entry, other) || ordered(other, entry)) continue;
    const bool alone = other.stands_for_others == Entry::nothing ||
                       (other.stands_for_others == Entry::of_earlier_epochs && other.when.block == entry.when.block);
    const bool frees = access == AccessKind::release || (*context_.sites)[other.site].kind == AccessKind::release;
    const bool same_value = !frees && is_store(entry) && is_store(other) && alone && entry.value == other.value && !other.several_values;
    const std::uint64_t key = std::uint64_t{region.id} << 40 | std::uint64_t{entry.site} << 24 | std::uint64_t{other.site} << 8 | std::uint64_t{other.kind} << 1;
    if (std::ranges::find(told, key | same_value) != told.end()) continue;
    told.push_back(key | same_value);
    const auto known = reported_.find(key);
    const AccessKind kind = other.kind >= atomic ? AccessKind::atomic : !is_store(other) ? AccessKind::load : (*context_.sites)[other.site].kind;
    const std::size_t number = known != reported_.end() ? known->second
        : add_race(context_, region, offset, bytes, {access, entry.site, entry.thread, context_.block}, {kind, other.site, other.thread, other.when.block});
    if (known != reported_.end()) context_.findings->again(number);
    else reported_[key] = number;
    same_value_.saw(number, same_value);
    if (!same_value && context_.undecided.erase(region.name) != 0) context_.decided = context_.undecided.empty();
  }
}

// Nobody who comes later is ordered after two others of this kind, unless fences are in use, be it later: one more of them is one too many.
bool LaneRaces::adds_nothing(const std::vector<Entry>& entries, const Entry& entry) const {
  if (context_.has_fence) return false;
  const Entry* other = nullptr;
  for (const Entry& e : entries) {
    if (e.kind != entry.kind || e.when.block != entry.when.block || e.when.epoch != entry.when.epoch) continue;
    if (e.thread == entry.thread) return false;
    if (other != nullptr && (!context_.has_warp_sync || e.thread / 32 != other->thread / 32)) return true;
    other = &e;
  }
  return false;
}

// Leaves out those that `entry` stands for: whoever comes after it comes after them, and whoever races with them races with it.
void LaneRaces::record(Cell& cell, Entry entry) const {
  std::vector<Entry>& entries = cell.entries;
  if (adds_nothing(entries, entry)) return;
  cell.kinds |= static_cast<std::uint8_t>(1u << entry.kind);
  if (entry.kind >= publish) {  // who knows of such an operation need not know all of the epochs before it
    const auto own = std::ranges::find_if(entries, [&](const Entry& e) {
      return e.thread == entry.thread && e.kind == entry.kind && e.when.block == entry.when.block;
    });
    if (own == entries.end()) return entries.push_back(entry);
    if (entry.kind == publish) entry.several_values = own->several_values || own->value != entry.value;
    *own = entry;
    return;
  }
  std::erase_if(entries, [&](const Entry& e) {
    const bool same_kind = e.when.block == entry.when.block && e.kind == entry.kind;
    if (same_kind && (e.thread == entry.thread || e.when.epoch < entry.when.epoch)) {
      if (e.when.epoch == entry.when.epoch) entry.several_values |= e.several_values || e.value != entry.value;
      if (e.when.epoch == entry.when.epoch && e.when.clock == entry.when.clock) entry.brought_news |= e.brought_news && e.thread == entry.thread;
      if (entry.kind != write) return true;
    } else if (entry.kind != write || !ordered(e, entry)) {
      return false;
    }
    if (is_store(e) && e.stands_for_others == Entry::nothing) return true;
    const bool by_now = e.when.block == entry.when.block && (e.when.epoch < entry.when.epoch || e.stands_for_others == Entry::of_earlier_epochs);
    entry.stands_for_others = std::max(entry.stands_for_others, by_now ? Entry::of_earlier_epochs : Entry::of_this_time);
    return true;
  });
  if (entry.kind == write) {
    cell.kinds = 0;
    for (const Entry& e : entries) cell.kinds |= static_cast<std::uint8_t>(1u << e.kind);
    cell.kinds |= 1u << write;
  }
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
    const auto like_it = std::ranges::find_if(left, [&](const Entry& l) { return l.kind == e->kind && l.site == e->site && !ever_released_.knows(l.when); });
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

#include "kernels/emulator/observers/lane_races.h"

#include <algorithm>
#include <utility>

#include "kernels/emulator/messages/race_messages.h"
#include "kernels/emulator/observers/atomic_kind.h"

namespace histolab::kernels::emulator {
namespace {

// Returns the number of words whose releases fit into 64 MiB. Per word: two clocks per thread, for
// the block and for all threads, and the releases of earlier blocks.
std::size_t places_in_memory(const LaunchConfig& config) {
  constexpr std::uint64_t memory = 64 << 20, least = 1024, most = 64 * 1024;
  return std::clamp(memory / (16 * config.block.count() + 24 * config.grid.count()), least, most);
}

constexpr std::uint64_t place_of(const Region& region, std::uint32_t offset) {
  return std::uint64_t{region.id} << 32 | offset;
}

}  // namespace

LaneRaces::LaneRaces(LaunchContext& context, bool report_races, bool report_uninitialized)
    : context_(context),
      races_(report_races),
      uninitialized_(report_uninitialized),
      second_look_(!context.undecided.empty()),
      most_places_(places_in_memory(context.config)) {
  threads_.resize(context.config.block.count());
  if (context.has_compare_and_swap) held_.resize(static_cast<std::uint32_t>(threads_.size()));
}

void LaneRaces::on_block_begin() {
  const Knowledge nothing(context_.block);
  std::ranges::fill(threads_, Thread(nothing));
  early_.clear();
  ever_released_.enter_block(context_.block);
  std::erase_if(released_, [](const auto& entry) { return entry.second.is_shared; });
}

void LaneRaces::on_block_end() {
  finish_stores();
  held_.release_all(
      [&](std::uint32_t thread, const HeldRead& read) { record_read(thread, read, false); });
}

void LaneRaces::on_launch_end() {
  for (const auto& [number, same_value] : only_same_value_)
    if (same_value)
      context_.findings->soften(number, same_value_message(context_.findings->findings()[number]));
}

// ---- synchronization ---------------------------------------------------------------------------

void LaneRaces::learn_own(Knowledge& knowledge, std::uint32_t thread) const {
  const auto count = static_cast<std::uint32_t>(threads_.size());
  // mutant 2 -> 3: only changes the reserved size: the rest stays 0
  knowledge.add(thread, threads_[thread].clock, 2 * count);
  if (threads_[thread].operations != 0)
    knowledge.add(count + thread, threads_[thread].operations, 2 * count);
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
  Thread together(nothing);
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

void LaneRaces::on_due_store(std::uint32_t lane) {
  const auto due = early_.find(lane);
  is_due_ = due != early_.end();
  if (!is_due_) return;
  finish_stores();
  stores_ = std::move(early_.extract(due).mapped());
}

void LaneRaces::on_interrupted_store(std::uint32_t lane) {
  if (stores_.empty() || stores_.back().lane != lane) return;
  interrupted_ = true;
  finish_stores();
  interrupted_ = false;
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
  for (Thread& thread : threads_) thread.known.add_epochs_before(context_.epoch + 1);
}

void LaneRaces::on_block_suspend() {
  Suspended& kept = suspended_[context_.block];
  kept.threads.assign(threads_.begin(), threads_.end());
  const Thread& any = threads_.front();  // after a barrier all threads have published the same
  by_suspended_.to_block |= !any.published_to_block.empty();
  by_suspended_.to_all |= !any.published_to_all.empty();
  by_suspended_.may_publish |= any.may_publish;
  for (const Region& region : context_.window->regions()) {
    if (region.space != Space::shared || region.id >= shadows_.size()) continue;
    const Shadow& shadow = shadows_[region.id];
    kept.shared.add(region.id, shadow.bytes_per_cell, shadow.cells,
                    [&](const Cell& c) { return c.written && c.block == context_.block + 1; });
  }
}

// After a grid barrier every thread knows all earlier accesses, so they need not be kept.
void LaneRaces::on_grid_barrier() {
  for (Shadow& shadow : shadows_) {
    shadow.freed.clear();
    for (Cell& cell : shadow.cells) {
      cell.entries.clear();
      cell.kinds = 0;
    }
  }
  released_.clear();
  elsewhere_.to_block = elsewhere_.to_all = ever_released_ = Knowledge();
  before_grid_barrier_ = std::exchange(by_suspended_, {});
}

void LaneRaces::on_block_resume() {
  on_block_begin();
  const Suspended kept = std::move(suspended_.extract(context_.block).mapped());
  for (std::size_t t = 0; t < threads_.size(); ++t) {
    Thread& thread = threads_[t];
    static_cast<SinceFence&>(thread) = kept.threads[t];
    thread.may_publish = before_grid_barrier_.may_publish;
    if (before_grid_barrier_.to_block) thread.published_to_block.add_epochs_before(context_.epoch);
    if (before_grid_barrier_.to_all) thread.published_to_all.add_epochs_before(context_.epoch);
  }
  for (const SharedWritten::Variable& variable : kept.shared.variables) {
    Shadow& shadow = shadows_[variable.region];
    for (std::size_t i = 0; i < shadow.cells.size(); ++i) {
      Cell& cell = shadow.cells[i] = {};
      cell.block = context_.block + 1;
      cell.written = variable.written_at(i * shadow.bytes_per_cell);
    }
  }
}

LaneRaces::Released& LaneRaces::released_at(const LaneAccess& access) {
  const std::uint64_t place = place_of(*access.region, access.offset);
  const auto known = released_.find(place);
  if (known != released_.end()) return known->second;
  // Once elsewhere_ is in use, no further words get their own entry, even if others have ended
  // since: this word may have releases in elsewhere_.
  if (elsewhere_.version != 0 || released_.size() >= most_places_) {
    if (races_ && elsewhere_.version == 0) report_too_many(access);
    return elsewhere_;
  }
  Released& released = released_[place];
  released.is_shared = access.region->space == Space::shared;
  return released;
}

void LaneRaces::report_too_many(const LaneAccess& access) {
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
  // mutant ++ -> --: each is still different, and none is 0
  released.version = ++versions_;
  if (released.to_block.block() != context_.block) released.to_block = Knowledge(context_.block);
  give(released.to_block, thread.published_to_block);
  if (kind == block_atomic || thread.published_to_all.empty()) return;
  released.to_all.enter_block(context_.block);
  give(released.to_all, thread.published_to_all);
  ever_released_.join_own_block(released.to_all);
}

void LaneRaces::acquire(const LaneAccess& access, Kind kind) {
  const auto found = released_.find(place_of(*access.region, access.offset));
  Released& released = found != released_.end() ? found->second : elsewhere_;
  const bool from_block = released.to_block.block() == context_.block && !released.to_block.empty();
  const bool from_all = kind != block_atomic && !released.to_all.empty();
  if (!from_block && !from_all) return;
  release_held_reads(access.lane);
  if (std::exchange(threads_[access.lane].acquired, 2 * released.version + from_all) ==
      2 * released.version + from_all)
    return;
  if (from_block) threads_[access.lane].known.join(released.to_block);
  if (!from_all) return;
  released.to_all.enter_block(context_.block);
  threads_[access.lane].known.join(released.to_all);
}

void LaneRaces::end_releases(const LaneAccess& store) {
  if (released_.empty()) return;
  for (std::uint32_t i = 0; i < store.bytes; ++i)
    released_.erase(place_of(*store.region, store.offset + i));
}

// ---- accesses ----------------------------------------------------------------------------------

void LaneRaces::on_lane_access(const LaneAccess& access) {
  const bool comes_before_store = is_due_ && (*context_.sites)[access.site].ends_early;
  if (!access.belongs_to_last && !comes_before_store) finish_stores();
  if (!access.region->tracked_for_races()) return;
  if (!writes(access.kind)) return see(access);
  if (access.kind == AccessKind::release) {
    held_.release_all(
        [&](std::uint32_t thread, const HeldRead& read) { record_read(thread, read, false); });
    return see(access);
  }
  if (held_.in_use())
    held_.settle(
        access.lane, {access.region, access.offset, access.bytes, access.site}, access.kind,
        [&](std::uint32_t thread, const HeldRead& read) { record_read(thread, read, false); },
        [&](std::uint32_t thread, const HeldRead& read) { record_read(thread, read, true); });
  if (is_atomic(access.kind)) return see(access);
  (access.is_early ? early_[access.lane] : stores_).push_back(access);
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
    return held_.hold(
        access.lane, {access.region, access.offset, access.bytes, access.site},
        [&](std::uint32_t lane, const HeldRead& read) { record_read(lane, read, false); });
  const bool news = kind == volatile_read && sees_news(access);
  Entry entry = made_now(access.lane, kind, access.site);
  if (access.kind == AccessKind::release) return record_release(*access.region, entry);
  if (kind == write || kind == publish) end_releases(access);
  if (kind >= addition) before_acquire_ = thread.known;
  if (kind == publish ||
      (kind >= atomic && (access.updates || access.kind != AccessKind::compare_and_swap)))
    release(access, kind);
  if (kind == volatile_read || kind >= atomic) acquire(access, kind);
  entry.when.clock = kind >= publish ? entry.when.clock : thread.clock;
  entry.brought_news = news;
  touch(*access.region, access.offset, access.bytes, access.kind, entry);
}

// `free` counts as a write to the whole block, the last one before the memory is handed out again.
void LaneRaces::record_release(const Region& region, const Entry& entry) {
  Shadow& shadow = shadow_of(region);
  for (const Cell& cell : shadow.cells)
    // mutant 0 -> 1: memory that a kernel allocates has no known elements, so it is reported as one
    judge(cell.entries, region, 0, static_cast<std::uint32_t>(region.size), AccessKind::release,
          entry);
  shadow = {.times_handed_out = region.times_handed_out, .freed = {entry}};
  std::erase_if(released_, [&](const auto& of) { return of.first >> 32 == region.id; });
}

void LaneRaces::record_read(std::uint32_t thread, const HeldRead& read, bool validated) {
  // The memory may have been handed out again since.
  if (read.offset + read.bytes > read.region->noted_bytes()) return;
  // If the read is part of a swap, only a plain write conflicts with it.
  touch(*read.region, read.offset, read.bytes, AccessKind::load,
        made_now(thread, validated ? volatile_read : plain_read, read.site));
}

void LaneRaces::release_held_reads(std::uint32_t thread) {
  if (held_.any())
    held_.release(thread,
                  [&](std::uint32_t t, const HeldRead& read) { record_read(t, read, false); });
}

LaneRaces::Kind LaneRaces::kind_of(const LaneAccess& access) {
  switch (access.kind) {
    case AccessKind::load: return plain_read;
    case AccessKind::volatile_load: return volatile_read;
    case AccessKind::store:
    case AccessKind::release: break;
    case AccessKind::atomic:
    case AccessKind::compare_and_swap:
    case AccessKind::exchange:
      return kind_of_atomic<Kind>(context_, access.site, access.region->space,
                                  shadow_of(*access.region).overwrites);
  }
  if (!access.is_volatile || !threads_[access.lane].may_publish) return write;
  const Shadow& shadow = shadow_of(*access.region, access.bytes, access.offset);
  const auto reacts = [&](const Entry& e) {
    return e.brought_news && e.thread == access.lane && e.when.block == context_.block &&
           e.when.epoch == context_.epoch && e.when.clock == threads_[access.lane].clock;
  };
  return std::ranges::any_of(shadow.cells[access.offset / shadow.bytes_per_cell].entries, reacts)
             ? write
             : publish;
}

// Returns true if this volatile read may see a store that another thread published at that word,
// and that the reading thread did not know so far.
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
  const bool by_second_clock = kind >= publish;
  const auto whose = static_cast<std::uint16_t>(by_second_clock ? threads_.size() + lane : lane);
  const std::uint32_t clock = by_second_clock ? thread.operations++ : thread.clock;
  return {.when = {context_.block, context_.epoch, clock, whose},
          .thread = static_cast<std::uint16_t>(lane),
          .site = site,
          .kind = kind};
}

}  // namespace histolab::kernels::emulator

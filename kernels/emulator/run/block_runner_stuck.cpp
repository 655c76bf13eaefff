// BlockRunner: a thread has used up its budget. Decides whether its loop is endless, or it waits
// for an event that cannot happen. See docs/emulator.md, "Room run", "Stuck blocks".
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <numeric>
#include <utility>

#include "kernels/emulator/lanes/warp_messages.h"
#include "kernels/emulator/run/block_runner.h"

namespace histolab::kernels::emulator {
namespace {

constexpr int passes_to_watch = 128;  // in stepping schedules. In others, a pass fills a log
constexpr std::uint64_t address_mask = (1ull << 48) - 1;

std::uint64_t mixed(std::uint64_t sum, std::uint64_t word) {
  sum = (sum ^ word) * 0x9e3779b97f4a7c15ull;
  return sum ^ sum >> 29;
}

// Returns a checksum of the memory through which threads communicate, or, if `only_global`, blocks.
std::uint64_t checksum(const Window& window, bool only_global = false) {
  std::uint64_t sum = 0;
  for (const auto* regions : {&window.regions(), &window.heap_regions()})
    for (const Region& region : *regions) {
      if (region.is_read_only() || region.space == Space::local ||
          (only_global && region.space != Space::global))
        continue;
      std::uint64_t at = 0;
      for (; at + 8 <= region.size; at += 8) {
        std::uint64_t word;
        std::memcpy(&word, region.begin + at, sizeof word);
        sum = mixed(sum, word);
      }
      for (; at < region.size; ++at) sum = mixed(sum, region.begin[at]);
    }
  return sum;
}

}  // namespace

// A lane polls if its log is full of atomic operations and volatile reads ("questions"). Returns a
// checksum of the last question of each lane and of its answer. Returns 0 if a lane does not poll.
std::uint64_t BlockRunner::poll_of(std::uint32_t index) const {
  const Warp& warp = warps_[index];
  if (warp.runnable == 0 || warp.full != warp.runnable) return 0;
  const SiteTable& sites = *context_.sites;
  std::uint64_t sum = 1;
  for (std::uint32_t left = warp.runnable; left != 0; left &= left - 1) {
    const auto lane = static_cast<std::uint32_t>(__builtin_ctz(left));
    std::uint64_t last = 0;
    for (const std::uint64_t* record = logs_[index].start(lane); record != warp.cursor[lane];
         record += WarpLog::lanes) {
      if (!is_question(sites[*record >> 48].kind)) return 0;
      last = *record;
    }
    // The lane has not made its last access yet, so the answer is the word's current value.
    const std::uint64_t address = last & address_mask,
                        bytes = std::min<std::uint64_t>(sites[last >> 48].bytes, 8);
    const Region* region = context_.window->find(address);
    std::uint64_t answer = 0;
    if (region != nullptr && region->space != Space::local && region->holds(address, bytes))
      std::memcpy(&answer, reinterpret_cast<const void*>(address), bytes);
    sum = mixed(mixed(sum, last), answer);
  }
  return sum | 1;
}

// Returns true if the warp must yield: its lanes poll the same words as before, and the words have
// not changed. If all warps poll, the first one keeps running.
bool BlockRunner::waits_for_others(std::uint32_t index) {
  const std::uint64_t question = poll_of(index);
  if (question == 0 || std::exchange(last_poll_[index], question) != question) {
    asked_ = 0;
    return false;
  }
  asked_ |= 1u << index;
  for (std::uint32_t w = 0; w < warps_.size(); ++w)
    if (warps_[w].runnable != 0 && (w < index || (asked_ >> w & 1) == 0)) return true;
  return false;
}

// Runs the lanes of a warp for a while, and notes their actions. Returns false if the launch has
// ended.
bool BlockRunner::watch(std::uint32_t index, Watched& watched) {
  Warp& warp = warps_[index];
  const SiteTable& sites = *context_.sites;
  watched.lanes = warp.runnable;
  begin_turn(index);
  for (int pass = current.stepping ? passes_to_watch : 4;
       pass > 0 && warp.runnable == watched.lanes; --pass) {
    warp.full &= ~asleep_[index];
    if (warp.with_room() != 0 && !run_lanes(index, warp.with_room())) return false;
    note_polled(index);
    for_each_lane(watched.lanes, [&](std::uint32_t lane) {
      for (const std::uint64_t* record = logs_[index].start(lane); record != warp.cursor[lane];
           record += WarpLog::lanes) {
        const AccessKind kind = sites[*record >> 48].kind;
        if (kind == AccessKind::store) watched.stored |= 1u << lane;
        if (is_question(kind)) watched.asked |= 1u << lane, watched.question[lane] = *record;
      }
    });
    judge_rows(index, warp.runnable == 0);
  }
  watched.left = watched.lanes & ~warp.runnable;
  return true;
}

// A lane has used up its budget. Returns true if it may continue anyway. Returns false if the
// launch has ended, with a deadlock or at the step limit.
bool BlockRunner::out_of_budget(std::uint32_t lane, int line) {
  const std::uint32_t own = lane / 32;
  std::vector<Watched> watched(warps_.size());
  std::uint64_t before = checksum(*context_.window);
  bool others_get_on = !interrupted_.empty() && !impatient();
  for (std::uint32_t w = 0; w < warps_.size(); ++w) {
    if (warps_[w].runnable == 0) continue;
    if (!watch(w, watched[w])) return false;
    const std::uint64_t after = checksum(*context_.window);
    watched[w].changed = after != before;
    before = after;
    if (w == own) continue;  // its turn has not ended
    if (warps_[w].runnable == 0 && !open_warp_syncs(w, true)) return false;
    end_turn(w);
    if (watched[w].all_wait()) continue;
    others_get_on = true;
    if (within_budget(steps_[w])) continue;
    // Checked here, since the rows of a watched warp are never checked against its budget
    // elsewhere.
    const std::uint32_t furthest = steps_[w].furthest();
    end_by_step_limit(w * 32 + furthest, context_.line(logs_[w].last_site(furthest)), budget_);
    return false;
  }
  if (!watched[own].all_wait()) {
    end_by_step_limit(lane, line, budget_);
    return false;
  }
  if (!others_get_on) {
    end_by_deadlock(lane, watched);
    return false;
  }
  steps_[own] = {};
  forget_rows();
  warps_[own].full &= ~std::exchange(asleep_[own], 0);
  global_before_.reset();
  return true;
}

void BlockRunner::end_by_deadlock(std::uint32_t lane, const std::vector<Watched>& watched) {
  std::uint32_t asking = 0, at_barrier = 0, ended = 0;
  std::optional<std::uint32_t> other;  // a lane that waits elsewhere
  for (std::uint32_t w = 0; w < warps_.size(); ++w) {
    const Warp& warp = warps_[w];
    asking += static_cast<std::uint32_t>(__builtin_popcount(warp.runnable));
    at_barrier +=
        static_cast<std::uint32_t>(__builtin_popcount(warp.at_barrier | warp.at_warp_sync));
    ended += static_cast<std::uint32_t>(__builtin_popcount(lanes_.existing(w) & ~warp.live()));
    if (const std::uint32_t waiting = warp.at_barrier | warp.at_warp_sync; waiting != 0 && !other)
      other = w * 32 + static_cast<std::uint32_t>(__builtin_ctz(waiting));
  }
  const std::uint64_t question = watched[lane / 32].question[lane % 32];
  Finding finding;
  finding.kind = FindingKind::deadlock;
  finding.line = context_.line(static_cast<SiteNumber>(question >> 48));
  finding.thread = thread_id(lane);
  if (const Region* region = context_.window->find(question & address_mask)) {
    const std::uint32_t bytes = region->element_bytes != 0
                                    ? region->element_bytes
                                    : (*context_.sites)[question >> 48].bytes;
    finding.space = region->space;
    finding.variable = region->name;
    if (region->size != bytes)
      finding.index = ((question & address_mask) - region->address()) / bytes;
  }
  std::string others;
  const auto add = [&](std::uint32_t threads, std::string_view what) {
    if (threads != 0)
      others += fmt::format("{}{} {}", others.empty() ? "of the others in its block, " : ", ",
                            threads, what);
  };
  add(asking - 1, asking == 2 ? "polls too" : "poll too");
  if (other) {
    finding.other_thread = thread_id(*other);
    finding.other_line = context_.line(lanes_.site(*other));
    add(at_barrier, fmt::format("{} for the rest (line {})", at_barrier == 1 ? "waits" : "wait",
                                finding.other_line));
  }
  add(ended, ended == 1 ? "has ended" : "have ended");
  if (others.empty()) others = "its block has no other thread";
  finding.message = deadlock_message(finding, others);
  global_before_ =
      checksum(*context_.window, true);  // nothing has changed since the lanes were watched
  end_stuck(std::move(finding), "deadlock");
}

// ---- does it wait for another block? -----------------------------------------------------------
//
// A block that got stuck while it polled global memory may wait for a block that has not run yet.
// So such blocks run now, without observers and with a small budget. The block waits for the first
// write that changes a polled word. Then memory is restored. Only the text of the finding depends
// on this.

// Notes the words of global memory that lanes of the warp poll, as far as they are in its log.
// Called in the last part of a block's budget.
void BlockRunner::note_polled(std::uint32_t index) {
  constexpr std::size_t most = 64;
  if (probing_) return;
  if (!global_before_) global_before_ = checksum(*context_.window, true), polled_.clear();
  const Warp& warp = warps_[index];
  const SiteTable& sites = *context_.sites;
  for_each_lane(warp.runnable | warp.at_barrier | warp.at_warp_sync, [&](std::uint32_t lane) {
    for (const std::uint64_t* record = logs_[index].start(lane); record != warp.cursor[lane];
         record += WarpLog::lanes) {
      const Site& site = sites[*record >> 48];
      if (!is_question(site.kind) || (is_atomic(site.kind) && !site.result_used)) continue;
      const Polled polled{*record & address_mask, std::min<std::uint64_t>(site.bytes, 8), 0,
                          static_cast<SiteNumber>(*record >> 48), index * 32 + lane};
      if (polled_.size() == most ||
          std::ranges::find(polled_, polled.address, &Polled::address) != polled_.end())
        continue;
      const Region* region = context_.window->find(polled.address);
      if (region != nullptr && region->space == Space::global &&
          region->holds(polled.address, polled.bytes))
        polled_.push_back(polled);
    }
  });
}

// Notes the first access that changes a polled word, if a lane of the warp has made one.
void BlockRunner::note_writer(std::uint32_t index) {
  if (writer_) return;
  const Warp& warp = warps_[index];
  const SiteTable& sites = *context_.sites;
  const auto has_changed = [](const Polled& polled) {
    std::uint64_t value = 0;
    std::memcpy(&value, reinterpret_cast<const void*>(polled.address), polled.bytes);
    return value != polled.value;
  };
  // Other atomic operations may only read the word, such as an addition of 0.
  const auto surely_changes = [](const Site& site) {
    return site.kind == AccessKind::store || site.effect != AtomicEffect::other;
  };
  bool is_sure = false;
  for_each_lane(lanes_.existing(index), [&](std::uint32_t lane) {
    for (const std::uint64_t* record = logs_[index].start(lane);
         record != warp.cursor[lane] && !is_sure; record += WarpLog::lanes) {
      const auto number = static_cast<SiteNumber>(*record >> 48);
      const Site& site = sites[number];
      if (!writes(site.kind) || (writer_ && !surely_changes(site))) continue;
      const std::uint64_t address = *record & address_mask;
      const auto written = std::ranges::find_if(polled_, [&](const Polled& p) {
        return p.address < address + site.bytes && address < p.address + p.bytes;
      });
      if (written == polled_.end() || written->site == number || !has_changed(*written)) continue;
      // The polled site itself is excluded: another thread polls there, or tries the same swap.
      writer_ = Writer{static_cast<std::size_t>(written - polled_.begin()), context_.block,
                       index * 32 + lane, number};
      is_sure = surely_changes(site);
    }
  });
}

void BlockRunner::end_stuck(Finding finding, std::string_view detail) {
  end_ = {end_.rows, Ending::stopped, std::string(detail)};
  ended_ = true;
  if (probing_) return;
  if (global_before_ != checksum(*context_.window, true)) polled_.clear();  // its own change
  stuck_finding_ = std::move(finding);
}

void BlockRunner::report_stuck(BlockRange rest) {
  Finding finding = *std::exchange(stuck_finding_, std::nullopt);
  const std::uint32_t stuck = context_.block;
  if (const std::optional<Writer> writer = find_writer(rest)) {
    const Polled& polled = polled_[writer->polled];
    const Region& region = *context_.window->find(polled.address);
    const std::uint64_t bytes = region.element_bytes != 0 ? region.element_bytes : polled.bytes;
    finding = {};
    finding.kind = FindingKind::deadlock;
    finding.space = Space::global;
    finding.variable = region.name;
    if (region.size != bytes) finding.index = (polled.address - region.address()) / bytes;
    finding.line = context_.line(polled.site);
    finding.other_line = context_.line(writer->site);
    finding.thread = context_.thread_id(stuck, polled.lane);
    finding.other_thread = context_.thread_id(writer->block, writer->lane);
    finding.message = waits_for_block_message(finding);
    end_.detail = "a block waits for another one";
  }
  context_.findings->add(std::move(finding));
}

// Runs blocks that have not run yet, those with the lowest and with the highest numbers: a chain of
// waiting blocks may begin at either end. Blocks that get stuck run again, in the opposite order,
// as long as another block ends: they may have waited for it. Returns nullopt if no write changes a
// polled word.
std::optional<BlockRunner::Writer> BlockRunner::find_writer(BlockRange rest) {
  constexpr std::uint32_t most = 64;
  if (polled_.empty() || context_.debugged || lanes_.has_left()) return std::nullopt;
  for (Polled& polled : polled_)
    std::memcpy(&polled.value, reinterpret_cast<const void*>(polled.address), polled.bytes);
  std::vector<std::pair<const Region*, std::vector<std::uint8_t>>> memory;
  for (const Region& region : context_.window->regions())
    if (region.space == Space::global && !region.is_read_only())
      memory.emplace_back(&region,
                          std::vector<std::uint8_t>(region.begin, region.begin + region.size));
  FindingLog ignored;
  const auto observers = std::exchange(context_.observers, {});
  FindingLog* const findings = std::exchange(context_.findings, &ignored);
  LiveLaunch* const live = std::exchange(context_.live, nullptr);
  const std::uint32_t block = context_.block;
  const LaunchEnd end = end_;
  std::string printed = printed_;
  budget_ = std::max<std::uint64_t>(1024, budget_ / 64);
  probing_ = true;
  std::vector<std::uint32_t> waiting(rest.end - rest.first);
  std::iota(waiting.begin(), waiting.end(), rest.first);
  if (waiting.size() > most) {
    if (options_.block_order == BlockOrder::random)
      std::ranges::sort(waiting, {},
                        [&](std::uint32_t position) { return sequence_.at(position); });
    waiting.erase(waiting.begin() + most / 2, waiting.end() - most / 2);
  }
  for (bool gets_on = true; gets_on && !writer_;) {
    gets_on = false;
    std::vector<std::uint32_t> stuck;
    for (const std::uint32_t position : waiting) {
      if (writer_ || lanes_.has_left()) break;
      lanes_.abandon_block();
      for (WarpLog& log : logs_)
        if (log.has_memory()) log.give(idle_memory_);
      std::ranges::fill(predicates_, 0);
      ended_ = false;
      run_block_at(position);
      if (ended_)
        stuck.push_back(position);
      else
        gets_on = true;
    }
    waiting.assign(stuck.rbegin(), stuck.rend());
  }
  probing_ = false, ended_ = true;
  stall_watch_.forget();
  fault_.reset();
  pending_stray_.reset();
  budget_ = options_.steps_per_thread;
  printed_ = std::move(printed);
  end_ = end;
  context_.block = block;
  context_.live = live, context_.findings = findings, context_.observers = observers;
  for (const auto& [region, bytes] : memory) std::ranges::copy(bytes, region->begin);
  return std::exchange(writer_, std::nullopt);
}

}  // namespace histolab::kernels::emulator

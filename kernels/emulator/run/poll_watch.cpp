#include "kernels/emulator/run/poll_watch.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "kernels/emulator/run/memory_checksum.h"

namespace histolab::kernels::emulator {

PollWatch::PollWatch(const LaunchContext& context, const std::vector<Warp>& warps)
    : context_(context), warps_(warps), last_(warps.size()) {}

void PollWatch::forget() {
  std::ranges::fill(last_, 0);
  waiting_ = 0;
}

// Returns a checksum of the last question of each lane and of its answer. Returns 0 if a lane does
// not poll.
std::uint64_t PollWatch::question_of(const Warp& warp, const WarpLog& log) const {
  if (warp.runnable == 0 || warp.full != warp.runnable) return 0;
  const SiteTable& sites = *context_.sites;
  std::uint64_t sum = 1;
  for (std::uint32_t left = warp.runnable; left != 0; left &= left - 1) {
    const auto lane = static_cast<std::uint32_t>(__builtin_ctz(left));
    std::uint64_t last = 0;
    for (const std::uint64_t record : log.records(lane, warp.cursor[lane])) {
      if (!is_question(sites[WarpLog::site(record)].kind)) return 0;
      last = record;
    }
    // The lane has not made its last access yet, so the answer is the word's current value.
    const std::uint64_t address = WarpLog::address(last);
    const auto bytes = std::min<std::uint64_t>(sites[WarpLog::site(last)].bytes, 8);
    const Region* region = context_.window->find(address);
    std::uint64_t answer = 0;
    if (region != nullptr && region->space != Space::local && region->holds(address, bytes))
      std::memcpy(&answer, reinterpret_cast<const void*>(address), bytes);
    sum = mixed(mixed(sum, last), answer);
  }
  return sum | 1;
}

bool PollWatch::must_yield(std::uint32_t warp, const WarpLog& log) {
  const std::uint64_t question = question_of(warps_[warp], log);
  if (question == 0 || std::exchange(last_[warp], question) != question) {
    waiting_ = 0;
    return false;
  }
  waiting_ |= 1u << warp;
  for (std::uint32_t other = 0; other < warps_.size(); ++other)
    if (warps_[other].runnable != 0 && (other < warp || (waiting_ >> other & 1) == 0)) return true;
  return false;
}

bool PollWatch::only_polls(const BlockLogs& logs) const {
  for (std::uint32_t w = 0; w < warps_.size(); ++w) {
    const Warp& warp = warps_[w];
    if (warp.runnable != 0 && !logs[w].has_memory()) return false;  // no turn so far
    for (std::uint32_t left = warp.runnable; left != 0; left &= left - 1) {
      const auto lane = static_cast<std::uint32_t>(__builtin_ctz(left));
      for (const std::uint64_t record : logs[w].records(lane, warp.cursor[lane])) {
        const Site& site = (*context_.sites)[WarpLog::site(record)];
        if (!is_question(site.kind) || site.effect != AtomicEffect::other) return false;
      }
    }
  }
  return true;
}

}  // namespace histolab::kernels::emulator

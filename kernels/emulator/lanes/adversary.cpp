#include "kernels/emulator/lanes/adversary.h"

#include <algorithm>
#include <utility>

#include "reference/splitmix64.h"

namespace histolab::kernels::emulator {

namespace {

// The ranks of delayed lanes count down from here. Those of lanes at the end of the queue count up.
constexpr std::uint64_t first_delayed = 1ull << 62;
constexpr std::size_t touched_words = 4096;      // a power of two
constexpr std::uint32_t long_turn = 256;         // accesses
constexpr std::uint32_t longest_sprint = 32768;  // accesses per lane: 1/4 of the least budget
constexpr std::uint32_t updates_of_a_wait = 4;   // repeated updates, such as failing swaps
// Chances in 64. First: that a warp sprints, and that this is warp 0, whose lanes often commit
// results. Then: that a warp is hesitant, and that a lane is delayed at an access of each kind.
constexpr std::uint32_t sprint = 32, of_first_warp = 24;
constexpr std::uint32_t hesitation = 48, before_write_back = 62, after_change = 60,
                        before_conflict = 8, anywhere = 1;

}  // namespace

Adversary::Adversary(std::size_t warps, std::uint64_t seed)
    : lanes_(warps * 32), ranks_(warps * 32), touched_(touched_words), random_(seed) {}

std::uint64_t Adversary::next_random_number() { return reference::next_random(random_); }

void Adversary::begin_interval() {
  ++interval_;
  last_delayed_ = end_of_queue_ = first_delayed;
  const auto shuffled = [&](std::size_t n) {
    std::vector<std::uint32_t> order(n);
    for (std::uint32_t i = 0; i < n; ++i)
      std::swap(order[i] = i, order[next_random_number() % (i + 1)]);
    return order;
  };
  std::vector<std::uint32_t> warp_rank = shuffled(lanes_.size() / 32);
  sprinter_ = Lanes::none;
  if (warp_rank.size() > 1 && may_sprint_ && chance(sprint)) {
    const std::size_t first = std::ranges::find(warp_rank, 0u) - warp_rank.begin();
    sprinter_ = chance(of_first_warp) ? 0 : static_cast<std::uint32_t>(first);
    std::swap(warp_rank[sprinter_], warp_rank[first]);
  }
  for (std::size_t w = 0; w < warp_rank.size(); ++w) {
    const std::vector<std::uint32_t> lane_rank = shuffled(32);
    const bool hesitant = chance(hesitation);
    for (std::size_t l = 0; l < 32; ++l) {
      Lane& lane = lanes_[w * 32 + l];
      lane = {};
      ranks_[w * 32 + l] = lane.own_rank = warp_rank[w] * 32 + lane_rank[l];
      lane.hesitant = hesitant;
    }
  }
}

std::uint32_t Adversary::next_lane(const std::vector<Warp>& warps) {
  std::uint32_t next = Lanes::none;
  std::uint64_t lowest = ~0ull;
  for (std::uint32_t w = 0; w < warps.size(); ++w)
    for (std::uint32_t left = warps[w].with_room(); left != 0; left &= left - 1) {
      const std::uint32_t lane = w * 32 + static_cast<std::uint32_t>(__builtin_ctz(left));
      if (ranks_[lane] < lowest) lowest = ranks_[next = lane];
    }
  if (next != Lanes::none) ranks_[next] = lanes_[next].own_rank;
  return next;
}

bool Adversary::goes_on_sprinting(std::uint32_t index) {
  if (index / 32 != sprinter_) return false;
  if (++lanes_[index].turn < longest_sprint) return true;
  sprinter_ = Lanes::none;
  may_sprint_ = false;
  in_vain_ = true;
  return false;
}

bool Adversary::writes_back(std::uint32_t lane, const NextAccess& access) const {
  return access.writes &&
         std::ranges::find(lanes_[lane].words, access.address >> 2) != lanes_[lane].words.end();
}

bool Adversary::continues(std::uint32_t index, const NextAccess& access) {
  if (goes_on_sprinting(index)) return true;
  Lane& lane = lanes_[index];
  const std::uint64_t word = access.address >> 2;
  const std::uint64_t last = std::exchange(lane.last, word << 1 | std::uint64_t{access.writes});
  lane.repeats = last == lane.last ? lane.repeats + 1 : 0;
  const bool conflict = conflicts(index, word, access.writes);
  const bool changed = std::exchange(lane.left_a_change, conflict && access.writes);
  const bool is_write_back = writes_back(index, access);
  if (access.reads) lane.words[lane.next_word++ % lane.words.size()] = word;
  if (lane.repeats == (access.writes ? updates_of_a_wait : 1) || ++lane.turn >= long_turn) {
    lane.repeats = lane.turn = 0;
    ranks_[index] = ++end_of_queue_;
    return false;
  }
  const std::uint32_t in_64 = is_write_back ? before_write_back
                              : changed     ? after_change
                              : conflict    ? before_conflict
                                            : anywhere;
  if (!lane.hesitant || !chance(in_64)) return true;
  ranks_[index] = --last_delayed_;
  return false;
}

bool Adversary::conflicts(std::uint32_t lane, std::uint64_t word, bool writes) {
  Touched& touched = touched_[(word * 0x9e3779b97f4a7c15ull) >> 52];
  if (touched.word != word || touched.interval != interval_) {
    touched = {word, interval_, lane, false, writes};
    return false;
  }
  touched.by_several |= touched.lane != lane;
  touched.lane = lane;
  const bool conflict = touched.by_several && (writes || touched.written);
  touched.written |= writes;
  return conflict;
}

}  // namespace histolab::kernels::emulator

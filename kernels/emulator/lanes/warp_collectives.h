// Warp collectives: functions that the lanes of a warp compute together as one instruction, such as
// shuffles, votes, matches and reductions.
//
// A lane deposits its call (function, mask, value) and waits until the lanes of its mask have made
// the same call. For the rules see docs/emulator.md, "Room lanes".
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "kernels/emulator/lanes/lanes.h"
#include "kernels/emulator/launch/launch_context.h"

namespace histolab::kernels::emulator {

enum class WarpFunction : std::uint8_t {
  sync,
  active_mask,
  shuffle,
  shuffle_up,
  shuffle_down,
  shuffle_xor,
  ballot,
  any,
  all,
  match_any,
  match_all,
  add,
  min_signed,
  min_unsigned,
  max_signed,
  max_unsigned,
  bit_and,
  bit_or,
  bit_xor
};
// Returns CUDA's name of the function, such as "__ballot_sync".
[[nodiscard]] std::string_view name(WarpFunction function);

struct WarpCall {
  WarpFunction function = WarpFunction::sync;
  SiteNumber site = 0;
  std::uint32_t mask = 0;
  std::uint64_t value = 0;
  std::uint32_t operand = 0;  // for shuffles: source lane, delta or lane mask
  std::uint32_t width = 32;   // for shuffles, in lanes
};
using WarpCalls = std::span<const WarpCall, 32>;  // per lane of a warp
using WarpAnswers = std::span<std::uint64_t, 32>;

// Returns the lane whose value the shuffle gives to `lane`, which is less than 32.
[[nodiscard]] std::uint32_t shuffle_source(const WarpCall& call, std::uint32_t lane);
// Computes the result of the call for each of `lanes`, which make it together. A shuffle from a
// lane that is not among them returns the caller's own value.
void answer(WarpCalls calls, std::uint32_t lanes, WarpAnswers answers);

class WarpCollectives {
 public:
  // `context`, `warps` and `lanes` must outlive it.
  WarpCollectives(LaunchContext& context, const std::vector<Warp>& warps, const Lanes& lanes);

  // Stores the call of a lane, before the lane waits. Lanes are numbered within the block.
  void deposit(std::uint32_t lane, const WarpCall& call) { calls_[lane] = call; }
  [[nodiscard]] const WarpCall& call(std::uint32_t lane) const { return calls_[lane]; }
  [[nodiscard]] std::uint64_t answer_to(std::uint32_t lane) const { return answers_[lane]; }

  // The calls and answers of the block's lanes, to restore them when the block continues.
  struct Calls {
    std::vector<WarpCall> calls;
    std::vector<std::uint64_t> answers;
  };
  [[nodiscard]] Calls save() const { return {calls_, answers_}; }
  void restore(const Calls& saved) {
    calls_ = saved.calls;
    answers_ = saved.answers;
  }

  // Returns the lanes of a warp, as bits, that wait only for each other. Returns 0 if all lanes
  // wait for others.
  [[nodiscard]] std::uint32_t complete(std::uint32_t warp) const;
  // Returns the lanes of a warp, as bits, that wait in __activemask().
  [[nodiscard]] std::uint32_t at_active_mask(std::uint32_t warp) const;
  // Lanes of a warp, as bits, that wait for a lane that never comes. `missing` is that lane's
  // number in the block.
  struct InVain {
    std::uint32_t lanes = 0, missing = 0;
  };
  // Returns such lanes. Call it only if no lane of the warp can continue.
  [[nodiscard]] InVain in_vain(std::uint32_t warp) const;

  // Computes the answers of these lanes of a warp, and reports mistakes in their masks. The lanes
  // can then continue.
  void hold(std::uint32_t warp, std::uint32_t lanes);
  void report_in_vain(std::uint32_t warp, const InVain& in_vain);

 private:
  [[nodiscard]] bool same_call(const WarpCall& a, const WarpCall& b) const;
  [[nodiscard]] std::uint32_t mates(std::uint32_t warp, std::uint32_t lane) const;
  [[nodiscard]] WarpCalls calls(std::uint32_t warp) const {
    return WarpCalls(calls_.data() + warp * 32, 32);
  }
  void check_masks(std::uint32_t warp, std::uint32_t lanes);
  void check_sources(std::uint32_t warp, std::uint32_t lanes);
  void report_source(std::uint32_t warp, std::uint32_t in_warp, std::uint32_t source, bool is_width,
                     bool is_source);
  enum class Fault : std::uint8_t { own_lane, width, source, in_vain, ended, no_such_lane };
  // Returns true if this fault of the lane's call site is in the log already. Then it counts it.
  [[nodiscard]] bool is_known(Fault fault, std::uint32_t lane);
  // Reports a fault in the call of `lane`. `other`: another lane that takes part in it.
  void report(Fault fault, std::uint32_t lane, std::string message,
              std::optional<std::uint32_t> other = {}, int other_line = 0,
              Severity severity = Severity::error);

  LaunchContext& context_;
  const std::vector<Warp>& warps_;
  const Lanes& lanes_;
  // Per lane of the block, up to the end of its last warp.
  std::vector<WarpCall> calls_;
  std::vector<std::uint64_t> answers_;
  std::unordered_map<std::uint32_t, std::size_t> reported_;  // (fault, site) -> number in the log
};

}  // namespace histolab::kernels::emulator

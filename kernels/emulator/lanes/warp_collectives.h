// Warp collectives: what the lanes of a warp compute together as one instruction: shuffles, votes, matches, reductions.
//
// A lane deposits its call (function, mask, value) and waits. Lanes meet when they have made the
// same call: one function, in one source line (the compiler may have copied it), with one mask;
// __syncwarp may be met anywhere. When all lanes of the mask that still live are there, each gets
// its answer. The rules are those of the CUDA C++ Programming Guide, "Warp Functions":
// - A caller's own lane must be in its mask.
// - All lanes of the mask that have not exited must make the same call with the same mask.
// - Lanes that have exited are not waited for.
// - The value of a lane that takes no part is undefined.
// Of these functions only __syncwarp orders memory ("These intrinsics do not provide any memory
// ordering"), so only __syncwarp is reported to the race observer.
//
// In CUDA __activemask() does not wait. Here its caller waits until no other lane of its warp can
// continue. The lanes that then come first, as among accesses (lane_order.h), are the active ones:
// a GPU that reconverges as early as possible has the same lanes there.
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
  sync, active_mask, shuffle, shuffle_up, shuffle_down, shuffle_xor, ballot, any, all, match_any, match_all,
  add, min_signed, min_unsigned, max_signed, max_unsigned, bit_and, bit_or, bit_xor
};
[[nodiscard]] std::string_view name(WarpFunction function);  // "__ballot_sync"

struct WarpCall {
  WarpFunction function = WarpFunction::sync;
  SiteNumber site = 0;
  std::uint32_t mask = 0;
  std::uint64_t value = 0;
  std::uint32_t operand = 0;  // of a shuffle: source lane, delta or lane mask
  std::uint32_t width = 32;   // of a shuffle
};
using WarpCalls = std::span<const WarpCall, 32>;  // of a warp's lanes
using WarpAnswers = std::span<std::uint64_t, 32>;

// The lane whose value the shuffle gives to `lane`.
[[nodiscard]] std::uint32_t shuffle_source(const WarpCall& call, std::uint32_t lane);
// Computes the result of the call for each of `lanes`, which make it together. A shuffle from
// another lane returns the caller's value.
void answer(WarpCalls calls, std::uint32_t lanes, WarpAnswers answers);

class WarpCollectives {
 public:
  // `context`, `warps` and `lanes` outlive it.
  WarpCollectives(LaunchContext& context, const std::vector<Warp>& warps, const Lanes& lanes);

  void deposit(std::uint32_t lane, const WarpCall& call) { calls_[lane] = call; }  // before it waits
  [[nodiscard]] const WarpCall& call(std::uint32_t lane) const { return calls_[lane]; }
  [[nodiscard]] std::uint64_t answer_to(std::uint32_t lane) const { return answers_[lane]; }

  // The calls and answers of the block's lanes, to restore them when the block continues.
  struct Calls {
    std::vector<WarpCall> calls;
    std::vector<std::uint64_t> answers;
  };
  [[nodiscard]] Calls save() const { return {calls_, answers_}; }
  void restore(const Calls& saved) { calls_ = saved.calls, answers_ = saved.answers; }

  // Returns the lanes of a warp, as bits, that wait only for each other. 0 if there are none.
  [[nodiscard]] std::uint32_t complete(std::uint32_t warp) const;
  [[nodiscard]] std::uint32_t at_active_mask(std::uint32_t warp) const;
  // No lane of the warp can continue: some wait for one that never comes. `missing` is that lane's
  // number in the block.
  struct InVain {
    std::uint32_t lanes = 0, missing = 0;
  };
  [[nodiscard]] InVain in_vain(std::uint32_t warp) const;

  // Lets these lanes of a warp continue: gives them their answers, and reports mistakes in their
  // masks.
  void hold(std::uint32_t warp, std::uint32_t lanes);
  void report_in_vain(std::uint32_t warp, const InVain& in_vain);

 private:
  [[nodiscard]] bool same_call(const WarpCall& a, const WarpCall& b) const;
  [[nodiscard]] std::uint32_t mates(std::uint32_t warp, std::uint32_t lane) const;
  [[nodiscard]] WarpCalls calls(std::uint32_t warp) const { return WarpCalls(calls_.data() + warp * 32, 32); }
  void check_masks(std::uint32_t warp, std::uint32_t lanes);
  void check_sources(std::uint32_t warp, std::uint32_t lanes);
  enum class Fault : std::uint8_t { own_lane, width, source, in_vain, ended, no_such_lane };
  [[nodiscard]] bool is_known(Fault fault, std::uint32_t lane);  // then it has been counted
  // About the call of `lane`, and another thread's part in it.
  void report(Fault fault, std::uint32_t lane, std::string message, std::optional<std::uint32_t> other = {}, int other_line = 0,
              Severity severity = Severity::error);

  LaunchContext& context_;
  const std::vector<Warp>& warps_;
  const Lanes& lanes_;
  std::vector<WarpCall> calls_;          // of each lane of the block, and of those that would fill its last warp
  std::vector<std::uint64_t> answers_;
  std::unordered_map<std::uint32_t, std::size_t> reported_;  // (fault, site) -> number in the log
};

}  // namespace histolab::kernels::emulator

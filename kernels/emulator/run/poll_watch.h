// PollWatch: finds warps that must yield, because they only wait for other warps of their block.
//
// A lane polls if its log is full of atomic operations and volatile reads ("questions"). A warp
// waits if all its lanes poll the same words as before, and the words have not changed.
#pragma once

#include <cstdint>
#include <vector>

#include "kernels/emulator/lanes/lanes.h"
#include "kernels/emulator/run/block_logs.h"

namespace histolab::kernels::emulator {

class PollWatch {
 public:
  // `context` and `warps` must outlive it.
  PollWatch(const LaunchContext& context, const std::vector<Warp>& warps);

  // Another block runs: its questions are others.
  void forget();
  // Returns true if the warp must yield. If all warps that can run wait, the first one keeps
  // running. Call it before the rows in the warp's log are judged.
  [[nodiscard]] bool must_yield(std::uint32_t warp, const WarpLog& log);
  // Returns true if all accesses in the block's logs look like polling.
  [[nodiscard]] bool only_polls(const BlockLogs& logs) const;

 private:
  [[nodiscard]] std::uint64_t question_of(const Warp& warp, const WarpLog& log) const;

  const LaunchContext& context_;
  const std::vector<Warp>& warps_;
  std::vector<std::uint64_t> last_;  // per warp: its last question_of()
  // Warps, as bits, that have only repeated their question since a warp did anything else.
  std::uint32_t waiting_ = 0;
};

}  // namespace histolab::kernels::emulator

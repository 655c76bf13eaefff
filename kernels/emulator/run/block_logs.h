// BlockLogs: the logs of a block's warps. A warp has memory for its log only while it runs or its
// log has rows, so the memory that is in use stays in the cache.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "kernels/emulator/lanes/lanes.h"
#include "kernels/emulator/lanes/warp_log.h"

namespace histolab::kernels::emulator {

class BlockLogs {
 public:
  explicit BlockLogs(std::size_t warps) : logs_(warps) {}

  [[nodiscard]] WarpLog& operator[](std::uint32_t warp) { return logs_[warp]; }
  [[nodiscard]] const WarpLog& operator[](std::uint32_t warp) const { return logs_[warp]; }
  [[nodiscard]] std::uint32_t size() const { return static_cast<std::uint32_t>(logs_.size()); }

  void begin_block() {
    for (std::uint32_t w = 0; w < size(); ++w) logs_[w].begin(w);
  }
  // The warp is about to run.
  void begin_turn(std::uint32_t warp, Warp& lanes) {
    if (logs_[warp].has_memory()) return;
    logs_[warp].take(idle_);
    logs_[warp].set_cursors(lanes.cursor);
  }
  // The warp has run, and everything is judged if no lane of it can continue.
  void end_turn(std::uint32_t warp, const Warp& lanes) {
    if (lanes.runnable == 0) logs_[warp].give(idle_);
  }
  // Drops all rows.
  void clear() {
    for (WarpLog& log : logs_)
      if (log.has_memory()) log.give(idle_);
  }

  // Returns the logs with their rows, to restore them when the block continues. The logs that
  // remain are empty.
  [[nodiscard]] std::vector<WarpLog> take() {
    return std::exchange(logs_, std::vector<WarpLog>(logs_.size()));
  }
  void restore(std::vector<WarpLog> logs) {
    clear();
    logs_ = std::move(logs);
  }

 private:
  std::vector<WarpLog> logs_;
  std::vector<WarpLog::Memory> idle_;  // the last one is probably in the cache
};

}  // namespace histolab::kernels::emulator

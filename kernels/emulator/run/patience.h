// Patience: decides how long a warp's turn lasts, how long a lane waits in __activemask(), and when
// a block seems to be stuck. It counts rows that were judged.
#pragma once

#include <cstdint>
#include <vector>

namespace histolab::kernels::emulator {

class Patience {
 public:
  // `budget`: steps per thread.
  Patience(std::uint64_t budget, std::size_t warps);
  void set_budget(std::uint64_t budget);

  // The rows of a block, to restore them when the block continues.
  struct Rows {
    std::uint64_t in_block = 0;
    std::uint64_t waited = 0;  // in turns of the block in which it only waited for another block
    // Per warp: in_block + 1 when a lane began to wait in __activemask(), else 0.
    std::vector<std::uint64_t> waits_since;
  };
  void begin_block();
  void resume_block(Rows rows);
  void end_block() { waited_by_all_ = 0; }
  [[nodiscard]] const Rows& rows() const { return rows_; }

  // The rows that the block has made so far do not count.
  void restart();
  // Rows per lane that the warp has made in its turn.
  void count_rows(std::uint32_t rows) {
    turn_ += rows + 1;
    rows_.in_block += rows;
  }

  // A warp begins its turn.
  void begin_turn() { turn_ = 0; }
  // Returns false if another warp must have a turn now.
  [[nodiscard]] bool turn_lasts() const { return turn_ < rows_per_turn_ || is_over(); }
  // Returns true if the block seems to be stuck: each warp had a turn, and the block has not
  // finished. There are no more turns then, so one warp reaches its budget soon, and not all of
  // them later.
  [[nodiscard]] bool is_over() const {
    return rows_.in_block - rows_.waited + waited_by_all_ > rows_of_all_turns();
  }

  // Returns true if a lane of the warp has waited too long in __activemask(). Another lane may spin
  // until it has passed that call, so it would wait forever. The first call begins the wait.
  [[nodiscard]] bool has_waited_long(std::uint32_t warp);
  // The lanes of the warp do not wait in __activemask() any more.
  void stop_waiting(std::uint32_t warp) { rows_.waits_since[warp] = 0; }

  // ---- blocks that interrupt each other ----
  // Returns the rows since the block began or continued.
  [[nodiscard]] std::uint64_t rows_since_resumed() const { return rows_.in_block - resumed_at_; }
  // Another block gets a turn. `only_waited`: the running block has only polled in its turn.
  void end_turn_of_block(bool only_waited);
  // The running block is interrupted although it can make progress.
  void note_progress() { waited_by_all_ = 0; }
  // Returns true if all blocks have only waited since one made progress, began or ended.
  [[nodiscard]] bool all_wait() const { return waited_by_all_ != 0; }

 private:
  [[nodiscard]] std::uint64_t rows_of_all_turns() const {
    return rows_.waits_since.size() * rows_per_turn_;
  }

  std::uint64_t rows_per_turn_ = 0;  // per warp
  std::uint64_t turn_ = 0;           // rows of the running warp since its turn began
  Rows rows_;
  std::uint64_t resumed_at_ = 0;  // rows_.in_block when the block began or continued
  // Rows of turns in which blocks only waited, since the last other turn, or since a block began or
  // ended.
  std::uint64_t waited_by_all_ = 0;
};

}  // namespace histolab::kernels::emulator

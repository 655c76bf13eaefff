// Knowledge: a vector clock, the accesses of a launch that happened before a point of one thread.
// Per block: all accesses before an epoch, and those of single threads before a time of their own
// clock.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

namespace histolab::kernels::emulator {

// The time of an access. A thread's clock counts its synchronizations, from 0 in each block. Epochs
// continue from the block before.
struct Moment {
  std::uint32_t block, epoch, clock;
  std::uint16_t thread;
};

// Copies are cheap: they share the clocks of a block's threads, and the knowledge of earlier
// blocks. Shared data is never changed.
class Knowledge {
 public:
  // Makes empty knowledge in `block`.
  explicit Knowledge(std::uint32_t block = 0) : now_{block, 0, nullptr} {}

  [[nodiscard]] bool empty() const { return now_.empty() && past_ == nullptr; }
  [[nodiscard]] std::uint32_t block() const { return now_.block; }
  [[nodiscard]] bool knows(const Moment& moment) const;

  // Adds all that `other` has. Both must be in the same block.
  void join(const Knowledge& other);
  // The same, without knowledge of earlier blocks.
  void join_own_block(const Knowledge& other) { now_.join(other.now_); }
  // Adds all accesses of `thread` before its clock was `clock`. `threads`: number of the block's
  // threads.
  void add(std::uint32_t thread, std::uint32_t clock, std::uint32_t threads);
  // Adds all accesses of the block before this epoch.
  void add_epochs_before(std::uint32_t epoch) {
    now_.epoch = epoch;
    now_.clocks = nullptr;
  }
  // Moves on to `block`. The knowledge of the old block becomes that of an earlier one.
  void enter_block(std::uint32_t block);

 private:
  // Per thread. Null means that all are 0.
  using Clocks = std::shared_ptr<const std::vector<std::uint32_t>>;
  struct Block {
    // mutant 0 -> 1 #2: each one is created with an explicit epoch
    std::uint32_t block = 0, epoch = 0;
    Clocks clocks;
    [[nodiscard]] bool empty() const { return epoch == 0 && clocks == nullptr; }
    [[nodiscard]] bool knows(const Moment& moment) const {
      return moment.epoch < epoch || (clocks != nullptr && (*clocks)[moment.thread] > moment.clock);
    }
    [[nodiscard]] bool covers(const Block& other) const;
    void join(const Block& other);
  };
  using Past = std::vector<Block>;  // in the order of block numbers
  static bool covers(const Past& more, const Past& less);
  static std::shared_ptr<Past> merged(const Past& one, const Past& other);

  Block now_;
  std::shared_ptr<Past> past_;
};

}  // namespace histolab::kernels::emulator

// Knowledge: the accesses of a launch that happened before, from one thread's view: the accesses of
// all of a block's epochs up to one, and those of single threads up to a time of their own clock (a
// vector clock).
//
// Copies are cheap: the knowledge of a block's threads, and of the blocks before it, is shared
// between copies and never changed while it is.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

namespace histolab::kernels::emulator {

// The time of an access. Clocks begin at 0 in each block, epochs continue from the block before; a
// thread's clock counts its synchronizations.
struct Moment {
  std::uint32_t block, epoch, clock;
  std::uint16_t thread;
};

class Knowledge {
 public:
  // Has no knowledge yet; belongs to `block`.
  explicit Knowledge(std::uint32_t block = 0) : now_{block, 0, nullptr} {}

  [[nodiscard]] bool empty() const { return now_.empty() && past_ == nullptr; }
  [[nodiscard]] std::uint32_t block() const { return now_.block; }
  [[nodiscard]] bool knows(const Moment& moment) const;

  void join(const Knowledge& other);  // of the same block
  void join_own_block(const Knowledge& other) { now_.join(other.now_); }
  // Everything that `thread`, one of `threads` of the block, did before its clock was `clock`.
  void add(std::uint32_t thread, std::uint32_t clock, std::uint32_t threads);
  // Everything that the block did before this epoch.
  void add_epochs_before(std::uint32_t epoch) { now_.epoch = epoch, now_.clocks = nullptr; }
  // The knowledge of its own block becomes knowledge of a past one.
  void enter_block(std::uint32_t block);

 private:
  using Clocks = std::shared_ptr<const std::vector<std::uint32_t>>;  // of each thread; nullptr: all 0
  struct Block {
    std::uint32_t block = 0, epoch = 0;
    Clocks clocks;
    [[nodiscard]] bool empty() const { return epoch == 0 && clocks == nullptr; }
    [[nodiscard]] bool knows(const Moment& moment) const {
      return moment.epoch < epoch || (clocks != nullptr && (*clocks)[moment.thread] > moment.clock);
    }
    [[nodiscard]] bool covers(const Block& other) const;
    void join(const Block& other);
  };
  using Past = std::vector<Block>;  // by number
  static bool covers(const Past& more, const Past& less);
  static std::shared_ptr<Past> merged(const Past& one, const Past& other);

  Block now_;
  std::shared_ptr<Past> past_;
};

}  // namespace histolab::kernels::emulator

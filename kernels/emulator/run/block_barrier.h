// BlockBarrier: the barrier at which the lanes of a block wait for each other.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "kernels/emulator/lanes/lanes.h"
#include "kernels/emulator/launch/launch_context.h"

namespace histolab::kernels::emulator {

// A thread that waits at a barrier, or has returned: then it has no site.
struct Arrival {
  ThreadId thread;
  std::optional<SiteNumber> site;
};

// Returns the finding for two threads that cannot meet. `waits` waits at a barrier. `of_grid`: one
// of them waits at a grid barrier.
[[nodiscard]] Finding divergence_finding(const LaunchContext& context, const Arrival& waits,
                                         const Arrival& other, bool of_grid);

class BlockBarrier {
 public:
  // The result that each waiting lane gets for the predicates of all lanes.
  enum class Reduction { count, all, any };

  // `context` and `lanes` must outlive it.
  BlockBarrier(const LaunchContext& context, Lanes& lanes);

  // The predicates of a block, to restore them when the block continues.
  struct Predicates {
    std::vector<std::uint32_t> of_waiting;  // per warp: lanes that wait with a true one, as bits
    int lanes = 0, true_ones = 0;           // of the barrier that opened last
  };
  // Returns the predicates of the block, which then has none.
  [[nodiscard]] Predicates take_predicates();
  void restore(Predicates predicates) { predicates_ = std::move(predicates); }
  void forget_predicates() { static_cast<void>(take_predicates()); }

  // The lane is about to wait. Lanes are numbered within the block.
  void arrive(std::uint32_t lane, bool predicate);
  // Returns the reduction of the predicates of all lanes that have waited.
  [[nodiscard]] int result(Reduction reduction) const;

  // Returns the first lane that waits, or Lanes::none.
  [[nodiscard]] std::uint32_t first() const;
  // Returns a lane that cannot meet `first`: it waits at another barrier of the source, or has
  // returned. Returns Lanes::none if all lanes meet. Call it when no lane can continue.
  [[nodiscard]] std::uint32_t diverging_from(std::uint32_t first) const;
  [[nodiscard]] Arrival arrival(std::uint32_t lane) const;
  // All lanes that wait continue.
  void open();

 private:
  [[nodiscard]] std::uint32_t waits_elsewhere(std::uint32_t first) const;
  [[nodiscard]] bool has_returned(std::uint32_t lane) const {
    return (lanes_.warps()[lane / 32].live() >> lane % 32 & 1) == 0;
  }

  const LaunchContext& context_;
  Lanes& lanes_;
  Predicates predicates_;
};

}  // namespace histolab::kernels::emulator

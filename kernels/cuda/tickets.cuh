// Tickets: distributes tickets to the groups of warps of a launch, and announces that its results
// are zero.
#pragma once

#include <cuda/atomic>

#include "kernels/cuda/workspace.h"

namespace histolab::kernels::cuda {

// One word of the workspace (Progress::next) holds the number of tickets taken and the bit "results
// are zero". So the atomicAdd that takes a group's next ticket also reads that bit. Waiting for
// zeros then costs nothing if the block that zeroes them, one of the first to start, is done. That
// is always so, except for the shortest inputs.
//
// The first block of a part zeroes the results, and the other blocks wait for it. So a block must
// not start before the block that it waits for: blocks must start in the order of their numbers.
// CUDA does not guarantee that, but every GPU so far does it, and CUB's single-pass algorithms also
// rely on it.
//
// Every group takes tickets until it gets a number beyond the last ticket, so the number of takes
// is known. The group with the last take resets the word to 0 for the next launch. If every ticket
// has an owner from the beginning and no block zeroes results, no ticket is taken: that would cost
// a launch of one block 1 us.
//
// The leader, one thread of each group, calls the functions.
class Tickets {
 public:
  // The first `groups` tickets have owners and are not taken. `zeroes` means that a block zeroes
  // the results.
  __device__ __forceinline__ Tickets(Progress* progress, unsigned groups, unsigned tickets,
                                     bool zeroes)
      : progress_(progress),
        groups_(groups),
        takes_(max(groups, tickets)),
        zeroes_(zeroes),
        needed_(zeroes || tickets > groups) {}

  // Takes the next ticket. The operation is an acquire, so the leader's warp waits for it;
  // the group's other warps do not. ticket() then returns the number of tickets, or more,
  // if none is left.
  __device__ __forceinline__ void take() {
    if (needed_) taken_ = Word(progress_->next).fetch_add(1, ::cuda::memory_order_acquire);
  }
  __device__ __forceinline__ unsigned ticket() const { return (taken_ & ~zero_news) + groups_; }

  // Called by any one thread, after the zeros were written and a barrier was passed.
  __device__ __forceinline__ void announce_zeros() {
    Word(progress_->next).fetch_add(zero_news, ::cuda::memory_order_release);
  }
  // Both at once, for a group that wrote the zeros and need not wait for them.
  __device__ __forceinline__ void take_and_announce_zeros() {
    if (needed_)
      taken_ = Word(progress_->next).fetch_add(zero_news + 1, ::cuda::memory_order_release);
  }

  // Called after the group's last take. Returns when the results are zero, if a block zeroes them.
  __device__ __forceinline__ void wait_for_zeros() const {
    if (!needed_) return;
    // A reset word has lost its bit, but the reset happens after the zeros. The word is then 0;
    // before the reset it is larger than this group's last take.
    bool zero = !zeroes_ || (taken_ & zero_news) != 0;
    while (!zero) {
      const unsigned word = Word(progress_->next).load(::cuda::memory_order_acquire);
      zero = (word & zero_news) != 0 || word <= taken_;
    }
  }
  // Called at the end. Resets the word if this was the last take. It waits only for the take's
  // result, which a group that announced zeros has not needed before.
  __device__ __forceinline__ void put_back() const {
    if (needed_ && (taken_ & ~zero_news) + 1 == takes_)
      Word(progress_->next).store(0, ::cuda::memory_order_release);
  }

 private:
  using Word = ::cuda::atomic_ref<unsigned, ::cuda::thread_scope_device>;
  static constexpr unsigned zero_news = 1u << 31;

  Progress* progress_;
  unsigned groups_, takes_, taken_ = 0;
  bool zeroes_, needed_;
};

}  // namespace histolab::kernels::cuda

// Dealing tickets to the groups of warps of a launch, and the news that its results are zero.
//
// Both are one word of the workspace, so the atomicAdd that takes a group's next ticket also brings the news, and waiting
// for zeros costs nothing where the block that makes them, one of the first to start, has done so: always, but for the
// shortest inputs. That block is the first of its part, and the others wait for it; so blocks must start in the order of their
// numbers, as far as one waits for another. CUDA does not promise it; every GPU so far does it, and CUB's single-pass
// algorithms need it too.
//
// Every group takes tickets until it gets one that is missing, so the number of takes is known. The group with the last
// take puts the word back to 0 for the next launch. Where every ticket has an owner from the beginning and nobody makes
// zeros, nothing is taken: it would cost a launch of one block 1 us.
#pragma once

#include <cuda/atomic>

#include "kernels/cuda/workspace.h"

namespace histolab::kernels::cuda {

// Each function by one thread of a group, its leader.
class Tickets {
 public:
  // The first `groups` tickets have their owners and are not taken. `zeroes`: some block makes the results zero.
  __device__ __forceinline__ Tickets(Progress* progress, unsigned groups, unsigned tickets, bool zeroes)
      : progress_(progress),
        groups_(groups),
        takes_(max(groups, tickets)),
        zeroes_(zeroes),
        needed_(zeroes || tickets > groups) {}

  // Acquires, so the leader's warp waits for it; the group's others do not. A ticket that is not there is the number of all
  // tickets, or more.
  __device__ __forceinline__ void take() {
    if (needed_) taken_ = Word(progress_->next).fetch_add(1, ::cuda::memory_order_acquire);
  }
  __device__ __forceinline__ unsigned ticket() const { return (taken_ & ~zero_news) + groups_; }

  // By any one thread, after the zeros were written and a barrier.
  __device__ __forceinline__ void announce_zeros() {
    Word(progress_->next).fetch_add(zero_news, ::cuda::memory_order_release);
  }
  // Both at once, by a group that wrote the zeros and need not wait for them.
  __device__ __forceinline__ void take_and_announce_zeros() {
    if (needed_) taken_ = Word(progress_->next).fetch_add(zero_news + 1, ::cuda::memory_order_release);
  }

  // After the group's last take. Returns when the results are zero, if a block makes them so.
  __device__ __forceinline__ void wait_for_zeros() const {
    if (!needed_) return;
    // A word that was put back has lost its news, but that happens after the zeros. It is then 0, and until then it
    // counts this group's last take.
    bool zero = !zeroes_ || (taken_ & zero_news) != 0;
    while (!zero) {
      const unsigned word = Word(progress_->next).load(::cuda::memory_order_acquire);
      zero = (word & zero_news) != 0 || word <= taken_;
    }
  }
  // At the end. Waits for the take's result only, which a group that announced zeros has not needed before.
  __device__ __forceinline__ void put_back() const {
    if (needed_ && (taken_ & ~zero_news) + 1 == takes_) Word(progress_->next).store(0, ::cuda::memory_order_release);
  }

 private:
  using Word = ::cuda::atomic_ref<unsigned, ::cuda::thread_scope_device>;
  static constexpr unsigned zero_news = 1u << 31;

  Progress* progress_;
  unsigned groups_, takes_, taken_ = 0;
  bool zeroes_, needed_;
};

}  // namespace histolab::kernels::cuda

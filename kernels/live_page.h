// LivePage: shared memory through which a launch and its watcher exchange data.
//
// The watcher writes `allowed` and `calls`. The launch writes the other words and the bits behind
// the page. The kernel runs in the launch's process and can write anything here, so the watcher
// does not trust the content (live.h).
#pragma once

#include <atomic>
#include <cstdint>

namespace histolab::kernels {

struct alignas(64) LivePage {
  std::atomic<std::uint64_t> allowed;        // limit of steps, from the beginning of the launch
  std::atomic<std::uint32_t> calls;          // futex of the sleeping launch; changes with `allowed`
  std::atomic<std::uint32_t> looking_again;  // nonzero if the launch runs a second time
  std::atomic<std::uint64_t> steps, blocks;  // steps made; blocks that have ended
  // Behind the page: a bit per byte of the launch's first input, set if the byte was read. Words of
  // 64 bits, lowest bit first.
};
static_assert(std::atomic<std::uint64_t>::is_always_lock_free &&
              std::atomic<std::uint32_t>::is_always_lock_free);
static_assert(sizeof(LivePage) == 64);

}  // namespace histolab::kernels

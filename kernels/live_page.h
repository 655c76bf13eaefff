// LivePage: shared memory through which a launch and its watcher exchange data.
//
// Each word has one writer: `allowed` and `calls` the watcher, the others and the bits behind the page the launch. The
// kernel runs where the launch does and can write anything here, so the watcher believes none of it (live.h).
#pragma once

#include <atomic>
#include <cstdint>

namespace histolab::kernels {

struct alignas(64) LivePage {
  std::atomic<std::uint64_t> allowed;        // steps, in all
  std::atomic<std::uint32_t> calls;          // changes with `allowed`: a futex, on which the launch sleeps
  std::atomic<std::uint32_t> looking_again;  // not 0: the launch runs a second time
  std::atomic<std::uint64_t> steps, blocks;  // made
  // Behind it: of each byte of the launch's first input, whether it was read, as bits of 64-bit words, lowest first.
};
static_assert(std::atomic<std::uint64_t>::is_always_lock_free && std::atomic<std::uint32_t>::is_always_lock_free);
static_assert(sizeof(LivePage) == 64);

}  // namespace histolab::kernels

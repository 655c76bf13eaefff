// Live: a launch that is watched while it runs and never exceeds the watcher's limit of steps. The
// watcher makes one Live per launch and passes it in Options::live. Another thread can then read
// the progress and the outputs. A launch that has made all allowed steps sleeps until more are
// allowed. Between two steps, its reads and the contents of its outputs are consistent.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

#include "kernels/buffer.h"
#include "kernels/live_page.h"

namespace histolab::kernels {

// A *step* is one pass of one warp: each lane that can run does so once, until it pauses. A lane
// pauses before its next write (lockstep, random) or before its next access (adversarial). In every
// schedule it also pauses when it has to wait, returns or has filled its log of 64 accesses; in
// run_to_barrier it pauses only then. In random and adversarial, only one lane of the warp runs.
//
// The launch's side may be a hostile kernel. At worst the watcher then reads meaningless numbers.
// Only the watcher's own limit decides whether the launch waits.
class Live {
 public:
  static constexpr std::uint64_t unlimited = ~0ull;

  // For one launch with a first input of `input_bytes` bytes. Unlimited until allow() is called.
  // Returns an Error if no memory is left.
  static Result<Live> for_input(std::uint64_t input_bytes);
  // The launch's side, in another process. Takes over a descriptor of buffer(). Returns an Error if
  // the descriptor cannot be mapped or is too small.
  static Result<Live> of_descriptor(int descriptor);

  // ---- the watcher's side, from any thread; nothing here changes the results of the launch ----
  struct Progress {
    std::uint64_t steps = 0, blocks = 0;  // steps made; blocks that have ended
    // The launch runs a second time, without a limit, to find out more about its findings.
    // The outputs are then meaningless until the launch has ended. So check this flag
    // after reading them.
    bool looking_again = false;
  };
  [[nodiscard]] Progress progress() const;
  // Sets the limit of steps, counted from the beginning of the launch. If the launch has made more,
  // it waits after its current step.
  void allow(std::uint64_t steps);
  // Returns one bit per byte of the launch's first input. Bit i of word w is set if byte 64 * w + i
  // was read.
  [[nodiscard]] std::vector<std::uint64_t> bytes_read() const;
  // Returns true if the launch waits for allow(). Always false while it is unlimited.
  [[nodiscard]] bool held_back() const;

  [[nodiscard]] const Buffer& buffer() const { return buffer_; }

  // ---- both sides ----
  [[nodiscard]] LivePage& page() const { return *page_; }
  [[nodiscard]] std::uint64_t* bits() const { return reinterpret_cast<std::uint64_t*>(page_ + 1); }
  // Rounded up to whole words of 64 if made by of_descriptor().
  [[nodiscard]] std::uint64_t input_bytes() const { return input_bytes_; }

 private:
  Live(Buffer buffer, std::uint64_t input_bytes);
  Buffer buffer_;
  std::uint64_t input_bytes_ = 0;
  LivePage* page_ = nullptr;
  // The watcher's own copy of page_->allowed, which the launch cannot change.
  std::unique_ptr<std::atomic<std::uint64_t>> allowed_;
};

}  // namespace histolab::kernels

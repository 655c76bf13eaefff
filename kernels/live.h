// Live: a launch that is watched while it runs, and never runs ahead of the watcher's limit.
//
// The watcher makes one for each launch and passes it in Options::live. From another thread it can
// then see how far the launch has come, and read the launch's outputs in place. A *step* is one
// pass of one warp: each of its lanes that can run does so once, until it pauses. That is before
// its next write (lockstep; random: one lane only; adversarial: one lane, before its next access),
// or else when it has to wait, returns or has filled its log of 64 accesses (run_to_barrier).
//
// A launch that has made all allowed steps sleeps until more are allowed. Between two steps, its
// reads and the contents of its outputs belong together. The launch's side may belong to a hostile
// kernel. Whatever it writes, the watcher reads meaningless numbers at worst, and only the
// watcher's own word decides whether the launch waits for it.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

#include "kernels/buffer.h"
#include "kernels/live_page.h"

namespace histolab::kernels {

class Live {
 public:
  static constexpr std::uint64_t unlimited = ~0ull;

  // For one launch whose first input has so many bytes. Unlimited until allow() is called. Returns
  // an Error if no memory is left.
  static Result<Live> for_input(std::uint64_t input_bytes);
  // The launch's side of it, in another process: a descriptor of buffer() that this takes over.
  // Returns an Error if it is not one.
  static Result<Live> of_descriptor(int descriptor);

  // ---- the watcher's side, from any thread; none of it changes what the launch computes ----
  struct Progress {
    std::uint64_t steps = 0, blocks = 0;  // made; blocks that have ended
    // The launch runs a second time, to find out more about its findings; it is not held back. The
    // contents of the outputs then are of no use until the launch has ended, so check this after
    // reading them.
    bool looking_again = false;
  };
  [[nodiscard]] Progress progress() const;
  // Steps in all since the launch began. If more were made already, it waits after its current
  // step.
  void allow(std::uint64_t steps);
  // Bit i of word w: byte 64 * w + i of the launch's first input was read. So many words as the input's bytes need.
  [[nodiscard]] std::vector<std::uint64_t> bytes_read() const;
  // Does the launch wait for allow()? Never, as long as it is unlimited.
  [[nodiscard]] bool held_back() const;

  [[nodiscard]] const Buffer& buffer() const { return buffer_; }

  // ---- both sides ----
  [[nodiscard]] LivePage& page() const { return *page_; }
  [[nodiscard]] std::uint64_t* bits() const { return reinterpret_cast<std::uint64_t*>(page_ + 1); }
  [[nodiscard]] std::uint64_t input_bytes() const { return input_bytes_; }  // of_descriptor: rounded up to whole words

 private:
  Live(Buffer buffer, std::uint64_t input_bytes);
  Buffer buffer_;
  std::uint64_t input_bytes_ = 0;
  LivePage* page_ = nullptr;
  std::unique_ptr<std::atomic<std::uint64_t>> allowed_;  // the page's, where nobody else can change it
};

}  // namespace histolab::kernels

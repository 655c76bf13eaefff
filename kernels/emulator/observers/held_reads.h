// HeldReads: plain reads that may belong to a compare-and-swap.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "kernels/emulator/code/site.h"

namespace histolab::kernels::emulator {

struct HeldRead {
  const Region* region = nullptr;  // null if the entry is empty
  std::uint32_t offset;
  std::uint8_t bytes;
  SiteNumber site;
};

// A plain read before a compare-and-swap may be stale: the swap then fails. So such a read is held
// back until the same thread's next step on that word. If that is a compare-and-swap, the read
// counts as part of it (validated). A synchronization, a store or the end of the block makes it a
// plain read (released). A thread holds up to four reads. One more releases the oldest.
//
// Functions call `release` and `validate` with (thread, read).
class HeldReads {
 public:
  // Call it only for kernels with a compare-and-swap.
  void resize(std::uint32_t threads) { held_.resize(threads); }
  [[nodiscard]] bool in_use() const { return !held_.empty(); }
  [[nodiscard]] bool any() const { return any_; }

  template <class F>
  void hold(std::uint32_t thread, const HeldRead& read, F&& release) {
    auto& held = held_[thread];
    any_ = true;
    // The word is read again without a swap in between, so the first read was a plain one.
    for (HeldRead& known : held)
      if (known.region == read.region && known.offset == read.offset)
        let_go(thread, known, release);
    const auto free = std::find_if(held.begin(), held.end(),
                                   [](const HeldRead& h) { return h.region == nullptr; });
    if (free != held.end()) {
      *free = read;
      return;
    }
    let_go(thread, held[0], release);
    std::move(held.begin() + 1, held.end(), held.begin());
    held.back() = read;
  }

  // The thread is about to write at `write`.
  template <class F, class G>
  void settle(std::uint32_t thread, const HeldRead& write, AccessKind kind, F&& release,
              G&& validate) {
    for (HeldRead& read : held_[thread]) {
      if (read.region != write.region || read.offset != write.offset) continue;
      if (kind == AccessKind::compare_and_swap && read.bytes == write.bytes)
        let_go(thread, read, validate);
      else
        let_go(thread, read, release);
    }
  }

  template <class F>
  void release(std::uint32_t thread, F&& release) {
    if (any_)
      for (HeldRead& read : held_[thread]) let_go(thread, read, release);
  }

  template <class F>
  void release_all(F&& release_one) {
    if (!any_) return;
    for (std::uint32_t thread = 0; thread < held_.size(); ++thread) release(thread, release_one);
    any_ = false;
  }

 private:
  template <class F>
  static void let_go(std::uint32_t thread, HeldRead& read, F& f) {
    if (read.region == nullptr) return;
    f(thread, std::exchange(read, {}));
  }

  std::vector<std::array<HeldRead, 4>> held_;  // per thread, or empty
  bool any_ = false;
};

}  // namespace histolab::kernels::emulator

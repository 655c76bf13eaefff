#include "kernels/emulator/launch/live_launch.h"

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>

namespace histolab::kernels::emulator {

void LiveLaunch::note_read(std::uint64_t offset, std::uint64_t bytes) {
  for (std::uint64_t byte = offset, end = std::min(offset + bytes, input_bytes_); byte < end;) {
    const std::uint64_t in_word = std::min(64 - byte % 64, end - byte);
    const std::uint64_t ones = in_word == 64 ? ~0ull : (std::uint64_t{1} << in_word) - 1;
    // This is the only writer, so no atomic update is needed.
    const std::atomic_ref word(bits_[byte / 64]);
    word.store(word.load(std::memory_order_relaxed) | ones << byte % 64, std::memory_order_relaxed);
    byte += in_word;
  }
}

void LiveLaunch::sleep_until_allowed() {
  const auto begin = std::chrono::steady_clock::now();
  for (;;) {
    // Read first: a call after the check below then ends the sleep at once.
    const std::uint32_t calls = page_.calls.load(std::memory_order_acquire);
    if (steps_ < page_.allowed.load(std::memory_order_acquire)) break;
    syscall(SYS_futex, &page_.calls, FUTEX_WAIT, calls, nullptr, nullptr, 0);
  }
  slept_ += std::chrono::steady_clock::now() - begin;
}

}  // namespace histolab::kernels::emulator

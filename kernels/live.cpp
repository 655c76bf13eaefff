#include "kernels/live.h"

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <climits>

namespace histolab::kernels {
namespace {

std::uint64_t words_for(std::uint64_t input_bytes) {
  return input_bytes / 64 + (input_bytes % 64 != 0 ? 1 : 0);
}

}  // namespace

Live::Live(Buffer buffer, std::uint64_t input_bytes)
    : buffer_(std::move(buffer)),
      input_bytes_(input_bytes),
      page_(reinterpret_cast<LivePage*>(buffer_.bytes().data())),
      allowed_(std::make_unique<std::atomic<std::uint64_t>>(unlimited)) {}

Result<Live> Live::for_input(std::uint64_t input_bytes) {
  Buffer buffer =
      TRY(Buffer::zeroed(sizeof(LivePage) + words_for(input_bytes) * sizeof(std::uint64_t)));
  Live live(std::move(buffer), input_bytes);
  live.allow(unlimited);
  return live;
}

Result<Live> Live::of_descriptor(int descriptor) {
  Buffer buffer = TRY(Buffer::of_descriptor(descriptor));
  if (buffer.size() < sizeof(LivePage))
    return Error{"what was given to watch a launch by is too small"};
  const std::uint64_t input_bytes = (buffer.size() - sizeof(LivePage)) / sizeof(std::uint64_t) * 64;
  return Live(std::move(buffer), input_bytes);
}

Live::Progress Live::progress() const {
  return {page_->steps.load(std::memory_order_acquire),
          page_->blocks.load(std::memory_order_acquire),
          page_->looking_again.load(std::memory_order_acquire) != 0};
}

void Live::allow(std::uint64_t steps) {
  allowed_->store(steps, std::memory_order_relaxed);
  page_->allowed.store(steps, std::memory_order_release);
  page_->calls.fetch_add(1, std::memory_order_release);
  syscall(SYS_futex, &page_->calls, FUTEX_WAKE, INT_MAX, nullptr, nullptr, 0);
}

std::vector<std::uint64_t> Live::bytes_read() const {
  std::vector<std::uint64_t> words(words_for(input_bytes_));
  for (std::size_t w = 0; w < words.size(); ++w)
    words[w] = std::atomic_ref(bits()[w]).load(std::memory_order_relaxed);
  if (input_bytes_ % 64 != 0) words.back() &= (std::uint64_t{1} << input_bytes_ % 64) - 1;
  return words;
}

bool Live::held_back() const {
  const std::uint64_t allowed = allowed_->load(std::memory_order_relaxed);
  return allowed != unlimited && page_->steps.load(std::memory_order_relaxed) >= allowed;
}

}  // namespace histolab::kernels

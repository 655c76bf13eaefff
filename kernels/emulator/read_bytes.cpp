#include "kernels/emulator/read_bytes.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstring>

namespace histolab::kernels::emulator {
namespace {

constexpr std::uint64_t widest_access = 16;

// Does lane i read what comes `i` times its width after lane 0's?
bool is_one_stretch(const WarpAccess& access) {
  if (access.active != ~0u || access.highest - access.lowest != 31u * access.bytes) return false;
  std::uint32_t differs = 0;
  for (std::uint32_t lane = 0; lane < 32; ++lane)
    differs |= access.offset[lane] ^ (access.lowest + lane * access.bytes);
  return differs == 0;
}

}  // namespace

std::shared_ptr<ReadBytes> ReadBytes::make(std::uint64_t bytes) {
  if (bytes > most_bytes) return nullptr;
  const std::uint64_t size = bytes + widest_access;
  constexpr int flags = MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE;
  void* memory = mmap(nullptr, size, PROT_READ | PROT_WRITE, flags, -1, 0);
  if (memory == MAP_FAILED) return nullptr;
  return std::shared_ptr<ReadBytes>(
      new ReadBytes({static_cast<std::uint8_t*>(memory), size}, bytes));
}

ReadBytes::~ReadBytes() { munmap(marks_.data(), marks_.size()); }

// Inactive lanes repeat an active lane's offset, so all 32 may be marked.
void ReadBytes::mark(const WarpAccess& access) {
  std::uint8_t* const marks = marks_.data();
  if (is_one_stretch(access)) {
    std::memset(marks + access.lowest, 1, 32u * access.bytes);
    return;
  }
  const auto mark_each = [&](auto width) {
    for (const std::uint32_t offset : access.offset) std::memset(marks + offset, 1, width());
  };
  switch (access.bytes) {
    case 1: return mark_each([] { return 1; });
    case 2: return mark_each([] { return 2; });
    case 4: return mark_each([] { return 4; });
    case 8: return mark_each([] { return 8; });
    default: return mark_each([&] { return access.bytes; });
  }
}

void ReadBytes::clear() { std::memset(marks_.data(), 0, marks_.size()); }

UnreadBytes ReadBytes::unread() const {
  const std::span<const std::uint8_t> marks = marks_.first(bytes_);
  UnreadBytes unread;
  unread.bytes = static_cast<std::uint64_t>(std::ranges::count(marks, std::uint8_t{0}));
  if (unread.bytes != 0)
    unread.first =
        static_cast<std::uint64_t>(std::ranges::find(marks, std::uint8_t{0}) - marks.begin());
  return unread;
}

}  // namespace histolab::kernels::emulator

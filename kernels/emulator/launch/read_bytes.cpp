#include "kernels/emulator/launch/read_bytes.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstring>

namespace histolab::kernels::emulator {
namespace {

constexpr std::uint64_t widest_access = 16;

// Marks the bytes of all 32 lanes: inactive lanes repeat an active lane's offset. For the usual
// widths `width` is a compile-time constant, so the compiler needs no call to set the marks.
template <class Width>
void mark_lanes(std::uint8_t* marks, const WarpAccess& access, const Width& width) {
  // 0 if each lane reads the bytes right after those of the lane before it.
  std::uint32_t differs = ~access.active | ((access.highest - access.lowest) ^ (31u * width()));
  for (std::uint32_t lane = 0; lane < 32; ++lane)
    differs |= access.offset[lane] ^ (access.lowest + lane * width());
  if (differs == 0)
    std::memset(marks + access.lowest, 1, 32u * width());
  else
    for (const std::uint32_t offset : access.offset) std::memset(marks + offset, 1, width());
}

}  // namespace

std::shared_ptr<ReadBytes> ReadBytes::make(std::uint64_t bytes) {
  if (bytes > most_bytes) return nullptr;
  const std::uint64_t size = bytes + widest_access;
  // The limit on the process's data (RLIMIT_DATA) does not count shared memory.
  constexpr int flags = MAP_SHARED | MAP_ANONYMOUS | MAP_POPULATE;
  void* memory = mmap(nullptr, size, PROT_READ | PROT_WRITE, flags, -1, 0);
  if (memory == MAP_FAILED) return nullptr;
  return std::shared_ptr<ReadBytes>(
      new ReadBytes({static_cast<std::uint8_t*>(memory), size}, bytes));
}

ReadBytes::~ReadBytes() { munmap(marks_.data(), marks_.size()); }

void ReadBytes::mark(const WarpAccess& access) {
  std::uint8_t* const marks = marks_.data();
  switch (access.bytes) {
    case 1: return mark_lanes(marks, access, [] { return 1u; });
    case 2: return mark_lanes(marks, access, [] { return 2u; });
    case 4: return mark_lanes(marks, access, [] { return 4u; });
    case 8: return mark_lanes(marks, access, [] { return 8u; });
    case 16: return mark_lanes(marks, access, [] { return 16u; });
    default: return mark_lanes(marks, access, [&] { return std::uint32_t{access.bytes}; });
  }
}

UnreadBytes ReadBytes::unread() const {
  const void* const first = std::memchr(marks_.data(), 0, bytes_);
  if (first == nullptr) return {};
  return {
      .bytes = static_cast<std::uint64_t>(std::ranges::count(marks_.first(bytes_), 0)),
      .first = static_cast<std::uint64_t>(static_cast<const std::uint8_t*>(first) - marks_.data())};
}

}  // namespace histolab::kernels::emulator

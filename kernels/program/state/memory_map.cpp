#include "kernels/program/state/memory_map.h"

namespace histolab::kernels::program {
namespace {

constexpr std::uint64_t gap = 2 * program_red_zone;
// Managed and pinned memory has its pages for itself.
constexpr std::uint64_t alignment = 4096;
static_assert(alignment % allocation_alignment == 0);

std::uint64_t aligned(std::uint64_t offset) {
  return (offset + alignment - 1) / alignment * alignment;
}

}  // namespace

Allocation* MemoryMap::allocate(Allocation::Kind kind, std::uint64_t bytes) {
  if (bytes > end_ - begin_) return nullptr;
  std::uint64_t offset = aligned(next_ + program_red_zone);
  if (offset + bytes + program_red_zone > end_) {
    const std::optional<std::uint64_t> found = reuse(bytes);
    if (!found) return nullptr;
    offset = *found;
  } else {
    next_ = offset + bytes + program_red_zone;
  }
  Allocation& made = all_[offset];
  made = {};
  made.kind = kind;
  made.offset = offset;
  made.bytes = bytes;
  if (made.host_can_access()) made.written = emulator::WrittenState::all;
  used_ += bytes;
  return &made;
}

std::optional<std::uint64_t> MemoryMap::reuse(std::uint64_t bytes) {
  std::uint64_t begin = begin_;  // end of the last allocation that is not freed
  const auto fits = [&](std::uint64_t end) { return aligned(begin + gap) + bytes + gap <= end; };
  auto live = all_.begin();
  for (; live != all_.end(); ++live) {
    if (live->second.freed) continue;
    if (fits(live->first)) break;
    begin = live->first + live->second.bytes;
  }
  if (live == all_.end() && !fits(end_)) return std::nullopt;
  const std::uint64_t offset = aligned(begin + gap);
  for (auto each = all_.lower_bound(begin); each != live;)
    if (each->second.freed && each->first < offset + bytes + gap &&
        each->first + each->second.bytes + gap > offset)
      each = all_.erase(each);
    else
      ++each;
  return offset;
}

void MemoryMap::free(Allocation& allocation) {
  allocation.freed = true;
  allocation.free_number = ++frees_;
  used_ -= allocation.bytes;
}

Allocation* MemoryMap::find(std::uint64_t address) {
  const std::uint64_t offset = address - program_memory_begin;
  if (offset >= end_) return nullptr;
  auto next = all_.upper_bound(offset);
  if (next != all_.begin()) {
    Allocation& before = std::prev(next)->second;
    if (offset < before.offset + before.bytes + program_red_zone) return &before;
  }
  if (next != all_.end() && offset + program_red_zone >= next->first) return &next->second;
  return nullptr;
}

}  // namespace histolab::kernels::program

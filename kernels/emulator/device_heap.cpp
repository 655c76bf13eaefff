#include "kernels/emulator/device_heap.h"

#include <fmt/format.h>

#include <cstring>
#include <utility>

namespace histolab::kernels::emulator {
namespace {

constexpr std::uint64_t unit = 16;            // of sizes and addresses, as on a device
constexpr std::uint64_t red_zone = 64;
constexpr std::size_t enough_freed = 256;     // of one size, before the oldest is handed out again

std::uint64_t rounded_up(std::uint64_t bytes) { return (bytes + unit - 1) / unit * unit; }

}  // namespace

std::uint8_t* DeviceHeap::allocate(std::uint64_t bytes, std::string_view function, int line) {
  if (bytes == 0 || bytes > capacity) return nullptr;
  const std::uint64_t rounded = rounded_up(bytes);
  if (used_ + rounded + unit > capacity) return nullptr;  // a unit for what a real heap notes about each
  Region* region = region_for(rounded);
  if (region == nullptr) return nullptr;
  used_ += rounded + unit;
  region->name = fmt::format("{}@{}", function, line);
  region->size = bytes;
  region->red_zone_after = rounded - bytes + red_zone;
  region->freed_bytes = 0;
  ++region->times_handed_out;
  region->written = std::make_shared<WrittenBytes>(bytes);
  std::memset(region->begin, 0xcd, bytes);
  blocks_[region->address()] = {region, 0, false};
  return region->begin;
}

// One that ended long ago, or a new one at the top.
Region* DeviceHeap::region_for(std::uint64_t rounded) {
  std::deque<Region*>& freed = free_[rounded];
  const bool room = top_ + rounded + 2 * red_zone <= Window::heap_bytes;
  if (!freed.empty() && (freed.size() >= enough_freed || !room)) {
    Region* region = freed.front();
    freed.pop_front();
    return region;
  }
  if (!room || (!mapped_ && !window_.map_heap())) return nullptr;
  mapped_ = true;
  Region region;
  region.role = Region::Role::heap;
  region.begin = window_.heap() + top_ + red_zone;
  region.red_zone_before = red_zone;
  top_ += rounded + 2 * red_zone;
  return &window_.add_to_heap(std::move(region));
}

DeviceHeap::Freeing DeviceHeap::free(std::uint64_t address, int line) {
  auto found = blocks_.upper_bound(address);
  if (found == blocks_.begin()) return {Freed::never_allocated};
  Block& block = (--found)->second;
  const Region& region = *block.region;
  const std::uint64_t bytes = region.size + region.freed_bytes;
  if (address - found->first >= bytes) return {Freed::never_allocated};
  if (address != found->first) return {Freed::not_its_start, &region};
  if (block.freed) return {Freed::again, &region, block.freed_line};
  block.freed = true;
  block.freed_line = line;
  used_ -= rounded_up(bytes) + unit;
  return {Freed::done, &region};
}

void DeviceHeap::end(const Region& ended) {
  const auto found = blocks_.find(ended.address());
  if (found == blocks_.end() || !found->second.freed || ended.freed_bytes != 0) return;
  Region& region = *found->second.region;
  region.freed_bytes = std::exchange(region.size, 0);
  region.freed_line = found->second.freed_line;
  region.red_zone_after += region.freed_bytes;
  region.written = nullptr;
  free_[rounded_up(region.freed_bytes)].push_back(&region);
}

}  // namespace histolab::kernels::emulator

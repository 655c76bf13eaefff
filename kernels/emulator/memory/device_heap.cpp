#include "kernels/emulator/memory/device_heap.h"

#include <fmt/format.h>

#include <cstring>
#include <iterator>
#include <utility>

#include "kernels/emulator/memory/source_line.h"

namespace histolab::kernels::emulator {
namespace {

constexpr std::uint64_t unit = 16;      // granularity of sizes and addresses, in bytes
constexpr std::uint64_t red_zone = 64;  // in bytes
// Number of freed blocks of one size from which on the oldest is reused, even if the heap has room.
constexpr std::size_t enough_freed = 256;

}  // namespace

std::uint8_t* DeviceHeap::allocate(std::uint64_t bytes, std::string_view function, int line) {
  if (bytes == 0 || bytes > capacity) return nullptr;
  const std::uint64_t rounded = round_up(bytes, unit);
  if (used_ + rounded + unit > capacity)
    return nullptr;  // one unit per allocation, for the bookkeeping of a real heap
  Block* block = block_for(rounded);
  if (block == nullptr) return nullptr;
  used_ += rounded + unit;
  block->ended = false;
  Region* region = block->region;
  region->is_freed = false;
  region->name = fmt::format("{}@{}", function, line_text(line));
  region->size = bytes;
  region->red_zone_after = block->room - bytes + red_zone;
  region->freed_bytes = 0;
  ++region->times_handed_out;
  region->written = std::make_shared<WrittenBytes>(bytes);
  std::memset(region->begin, 0xcd, bytes);
  return region->begin;
}

// Returns a block that ended long ago, or else a new one at the top. If the top has no room,
// returns a block that ended recently. Returns nullptr if the heap is full.
DeviceHeap::Block* DeviceHeap::block_for(std::uint64_t rounded) {
  if (const auto freed = free_.find(rounded);
      freed != free_.end() && freed->second.size() >= enough_freed)
    return &take(freed);
  if (Block* const block = new_block(rounded)) return block;
  auto fit = free_.lower_bound(rounded);
  if (fit == free_.end()) {
    end_what_is_freed();
    if (join_freed()) fit = free_.lower_bound(rounded);
  }
  if (fit == free_.end()) return nullptr;
  Block& block = take(fit);
  cut(block, rounded);
  return &block;
}

DeviceHeap::Block* DeviceHeap::new_block(std::uint64_t rounded) {
  if (top_ + rounded + 2 * red_zone > Window::heap_bytes || (!mapped_ && !window_.map_heap()))
    return nullptr;
  mapped_ = true;
  std::uint8_t* const begin = window_.heap() + top_ + red_zone;
  top_ += rounded + 2 * red_zone;
  return &place(window_.new_heap_region(), begin, rounded);
}

DeviceHeap::Block& DeviceHeap::take(std::map<std::uint64_t, std::deque<Block*>>::iterator of_size) {
  Block& block = *of_size->second.front();
  of_size->second.pop_front();
  if (of_size->second.empty()) free_.erase(of_size);
  return block;
}

DeviceHeap::Block& DeviceHeap::place(Region& region, std::uint8_t* begin, std::uint64_t room) {
  region.role = Region::Role::heap;
  region.begin = begin;
  region.red_zone_before = red_zone;
  window_.put_in_heap(region);
  return blocks_[region.address()] = {&region, room};
}

void DeviceHeap::put_aside(Block& block) {
  Region& region = *block.region;
  block.ended = region.is_freed = true;
  region.size = 0;
  region.freed_bytes = block.room;
  region.red_zone_after = block.room + red_zone;
  region.written = nullptr;
  free_[block.room].push_back(&block);
}

// Shortens the block to `rounded` bytes. The rest becomes a block of its own if it is large enough.
void DeviceHeap::cut(Block& block, std::uint64_t rounded) {
  const std::uint64_t left = block.room - rounded;
  if (left < 2 * red_zone + unit) return;
  block.room = rounded;
  Region* const region = spare_.empty() ? &window_.new_heap_region() : spare_.back();
  if (!spare_.empty()) spare_.pop_back();
  region->name = block.region->name;
  Block& rest = place(*region, block.region->begin + rounded + 2 * red_zone, left - 2 * red_zone);
  region->freed_line = block.region->freed_line;
  put_aside(rest);
}

bool DeviceHeap::join_freed() {
  if (std::exchange(all_joined_, true)) return false;
  free_.clear();
  for (auto at = blocks_.begin(); at != blocks_.end(); ++at) {
    Block& block = at->second;
    if (!block.ended) continue;
    for (auto next = std::next(at); next != blocks_.end() && next->second.ended;
         next = blocks_.erase(next)) {
      block.room += 2 * red_zone + next->second.room;
      window_.take_from_heap(*next->second.region);
      spare_.push_back(next->second.region);
    }
    put_aside(block);
  }
  return true;
}

DeviceHeap::Freeing DeviceHeap::free(std::uint64_t address, int line) {
  auto found = blocks_.upper_bound(address);
  if (found == blocks_.begin()) return {Freed::never_allocated};
  Block& block = (--found)->second;
  Region& region = *block.region;
  const std::uint64_t bytes = region.size + region.freed_bytes;
  if (address - found->first >= bytes) return {Freed::never_allocated};
  if (address != found->first) return {Freed::not_its_start, &region};
  if (region.is_freed) return {Freed::again, &region, region.freed_line};
  region.is_freed = true;
  region.freed_line = line;
  freed_.push_back(&block);
  used_ -= round_up(bytes, unit) + unit;
  return {Freed::done, &region};
}

void DeviceHeap::end_what_is_freed() {
  if (freed_.empty()) return;
  all_joined_ = false;
  for (Block* block : freed_) put_aside(*block);
  freed_.clear();
}

}  // namespace histolab::kernels::emulator

// DeviceHeap: the memory behind malloc, free, new and delete in a kernel.
//
// Each allocation is a Region of its own, named by the line that made it ("malloc@12"), with a red
// zone on both sides and filled with a pattern. It is watched in order (block_runner.h): a use
// after a free is reported when it is made. For the observers that judge rows, it *ends* at a
// barrier, when there are no more rows from before the free, or as soon as its room is needed.
// Freed memory keeps its address as long as there are others, so that a use after free is reported.
// When there are none left, freed neighbours are joined, and cut again for new allocations.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <map>
#include <string_view>
#include <vector>

#include "kernels/emulator/memory/window.h"

namespace histolab::kernels::emulator {

class DeviceHeap {
 public:
  static constexpr std::uint64_t capacity = 8 << 20;  // bytes: CUDA's cudaLimitMallocHeapSize, unless a host program changes it

  explicit DeviceHeap(Window& window) : window_(window) {}

  // Returns nullptr if `bytes` is 0, or there is no room left.
  std::uint8_t* allocate(std::uint64_t bytes, std::string_view function, int line);

  enum class Freed { done, never_allocated, not_its_start, again };
  struct Freeing {
    Freed what;
    const Region* region = nullptr;  // that the address lies in, or lay in
    int earlier_line = 0;            // of the first free, when this is another one
  };
  Freeing free(std::uint64_t address, int line);

  void end_what_is_freed();

 private:
  // Blocks follow each other in memory, each with its red zones.
  struct Block {
    Region* region = nullptr;
    std::uint64_t room = 0;  // bytes between the red zones
    bool ended = false;
  };
  Block* block_for(std::uint64_t rounded);
  Block* new_block(std::uint64_t rounded);
  Block& take(std::map<std::uint64_t, std::deque<Block*>>::iterator of_size);
  Block& place(Region& region, std::uint8_t* begin, std::uint64_t room);
  void put_aside(Block& block);  // it has ended
  void cut(Block& block, std::uint64_t rounded);
  bool join_freed();  // false: nothing has ended since the last time

  Window& window_;
  std::uint64_t used_ = 0, top_ = 0;  // bytes in use; end of the addresses that were ever in use, in the heap
  bool mapped_ = false, all_joined_ = true;
  std::map<std::uint64_t, Block> blocks_;                 // by their first address
  std::vector<Block*> freed_;                             // that have not ended
  std::map<std::uint64_t, std::deque<Block*>> free_;      // those that ended, by their room, oldest first
  std::vector<Region*> spare_;                            // of blocks that were joined to others
};

}  // namespace histolab::kernels::emulator

// DeviceHeap: the memory behind malloc, free, new and delete in a kernel.
//
// Each allocation is a Region, named by the line that made it ("malloc@12"). A freed block first
// *ends*, and its address is reused as late as possible. See docs/emulator.md, "Memory".
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
  static constexpr std::uint64_t capacity =
      8 << 20;  // bytes: CUDA's cudaLimitMallocHeapSize, unless a host program changes it

  explicit DeviceHeap(Window& window) : window_(window) {}

  // Returns memory that is filled with a pattern. Returns nullptr if `bytes` is 0 or the heap is
  // full. `function` and `line` name the region.
  std::uint8_t* allocate(std::uint64_t bytes, std::string_view function, int line);

  enum class Freed { done, never_allocated, not_its_start, again };
  struct Freeing {
    Freed what;
    const Region* region = nullptr;  // contains the address, or contained it; may be null
    int earlier_line = 0;            // line of the first free, if this is the second
  };
  // Frees the allocation that begins at `address`. Otherwise changes nothing and returns the
  // mistake. `line`: the line of the call.
  Freeing free(std::uint64_t address, int line);

  // Ends all freed blocks: they have no size any more, and their addresses may be used again.
  void end_what_is_freed();

 private:
  // Blocks follow each other in memory, each with its red zones.
  struct Block {
    Region* region = nullptr;
    std::uint64_t room = 0;  // bytes between the red zones
    bool ended = false;      // freed, and no longer in `freed_`
  };
  Block* block_for(std::uint64_t rounded);
  Block* new_block(std::uint64_t rounded);
  Block& take(std::map<std::uint64_t, std::deque<Block*>>::iterator of_size);
  Block& place(Region& region, std::uint8_t* begin, std::uint64_t room);
  // Ends the block and adds it to `free_`.
  void put_aside(Block& block);
  void cut(Block& block, std::uint64_t rounded);
  // Joins neighbouring blocks that have ended. Returns false if no block has ended since the
  // last call.
  bool join_freed();

  Window& window_;
  // Bytes in use; and the end of the addresses that were ever in use, as an offset in the heap.
  std::uint64_t used_ = 0, top_ = 0;
  bool mapped_ = false, all_joined_ = true;
  std::map<std::uint64_t, Block> blocks_;             // by their first address
  std::vector<Block*> freed_;                         // freed, but not yet ended
  std::map<std::uint64_t, std::deque<Block*>> free_;  // ended, by their room, oldest first
  std::vector<Region*> spare_;                        // unused: their blocks were joined
};

}  // namespace histolab::kernels::emulator

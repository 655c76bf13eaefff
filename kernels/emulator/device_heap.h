// DeviceHeap: the memory behind malloc, free, new and delete in a kernel.
//
// Each allocation is a Region of its own, named by the line that made it ("malloc@12"), with a red zone on both sides and
// filled with a pattern. It has two ends: `free` is *made* when a lane executes it, and *judged* when the lane's log gets
// there. Between the two it can be accessed, as far as observers know, because what they see then happened before. Freed
// memory keeps its address as long as there are others, so that a use after free is told.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <map>
#include <string_view>
#include <unordered_map>

#include "kernels/emulator/window.h"

namespace histolab::kernels::emulator {

class DeviceHeap {
 public:
  static constexpr std::uint64_t capacity = 8 << 20;  // bytes: CUDA's cudaLimitMallocHeapSize, unless a host program changes it

  explicit DeviceHeap(Window& window) : window_(window) {}

  // nullptr: no bytes are asked for, or there is no room left.
  std::uint8_t* allocate(std::uint64_t bytes, std::string_view function, int line);

  enum class Freed { done, never_allocated, not_its_start, again };
  struct Freeing {
    Freed what;
    const Region* region = nullptr;  // that the address lies in, or lay in
    int earlier_line = 0;            // of the first free, when this is another one
  };
  Freeing free(std::uint64_t address, int line);

  // From here on, accesses to it are use after free.
  void end(const Region& region);

 private:
  struct Block {
    Region* region = nullptr;
    int freed_line = 0;
    bool freed = false;
  };
  Region* region_for(std::uint64_t rounded);

  Window& window_;
  std::uint64_t used_ = 0, top_ = 0;  // bytes in use; end of the addresses that were ever in use, in the heap
  bool mapped_ = false;
  std::map<std::uint64_t, Block> blocks_;                         // by their first address
  std::unordered_map<std::uint64_t, std::deque<Region*>> free_;   // those that ended, by their size, oldest first
};

}  // namespace histolab::kernels::emulator

// A long range of addresses over a little memory: a kernel that reads all of it reads the L2, and nothing else of it
// changes.
//
// The physical memory is mapped again and again, one copy after the other. What a launch needs on such data is its
// bound without memory: instructions, shared memory, the L2 and its own beginning and end.
#pragma once

#include <cstddef>
#include <vector>

namespace histolab::kernels::cuda::bench {

class AliasedMemory {
 public:
  // `bytes` of addresses over `physical` bytes of memory, both rounded up to what the device maps. If the driver or the
  // device cannot, data() is null.
  AliasedMemory(int device, std::size_t bytes, std::size_t physical);
  AliasedMemory(const AliasedMemory&) = delete;
  AliasedMemory& operator=(const AliasedMemory&) = delete;
  ~AliasedMemory();

  [[nodiscard]] void* data() const { return data_; }

 private:
  void* data_ = nullptr;
  std::size_t bytes_ = 0, physical_ = 0, mapped_ = 0;
  unsigned long long memory_ = 0;
};

}  // namespace histolab::kernels::cuda::bench

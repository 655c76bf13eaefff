// A long range of addresses over little physical memory, which is mapped many times in a
// row. A kernel that reads the whole range reads from the L2; nothing else changes. So the
// time of a launch is its bound without memory: instructions, shared memory, the L2, start
// and end of the launch.
#pragma once

#include <cstddef>
#include <vector>

namespace histolab::kernels::cuda::bench {

class AliasedMemory {
 public:
  // `bytes` bytes of addresses over `physical` bytes of memory, both rounded up to the device's
  // mapping granularity. data() is null if the driver or the device does not support it.
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

// GuardedBuffer: device memory with guards, which are known bytes on both sides. A kernel must not
// change the guards.
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/gpu/runtime.h"

namespace histolab::kernels::gpu {

class GuardedBuffer {
 public:
  static constexpr std::size_t guard_bytes = 4096;
  static constexpr std::uint8_t poison = 0xA5;

  explicit GuardedBuffer(std::size_t bytes);

  // Sets all bytes, guards and content, to `poison`.
  void poison_all(cudaStream_t stream = nullptr);
  // Returns true if no byte of the guards was changed.
  [[nodiscard]] bool guards_intact() const;

  [[nodiscard]] std::uint8_t* data() const { return memory_.as() + guard_bytes; }
  [[nodiscard]] std::size_t bytes() const { return bytes_; }

 private:
  std::size_t bytes_;
  DeviceMemory memory_;
};

}  // namespace histolab::kernels::gpu

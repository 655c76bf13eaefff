#include "kernels/gpu/guarded_buffer.h"

#include <algorithm>
#include <vector>

namespace histolab::kernels::gpu {

GuardedBuffer::GuardedBuffer(std::size_t bytes) : bytes_(bytes), memory_(bytes + 2 * guard_bytes) {
  poison_all();
}

void GuardedBuffer::poison_all(cudaStream_t stream) {
  check(cudaMemsetAsync(memory_.as(), poison, memory_.bytes(), stream), "poison a buffer");
}

bool GuardedBuffer::guards_intact() const {
  std::vector<std::uint8_t> seen(guard_bytes);
  for (const std::uint8_t* guard : {data() - guard_bytes, data() + bytes_}) {
    check(cudaMemcpy(seen.data(), guard, guard_bytes, cudaMemcpyDeviceToHost),
          "read the memory next to a buffer");
    if (std::any_of(seen.begin(), seen.end(), [](std::uint8_t byte) { return byte != poison; }))
      return false;
  }
  return true;
}

}  // namespace histolab::kernels::gpu

// Reading and nothing else: what the GPU's memory can do at most, and a way to fill its L2 with clean lines.
#pragma once

#include <cstddef>

namespace histolab::kernels::cuda::lessons {

// Reads `bytes` (a multiple of 16) at `data` once, in 16-byte loads, four of a thread in flight. *sink is written or not.
void read_all(const void* data, std::size_t bytes, unsigned* sink);

}  // namespace histolab::kernels::cuda::lessons

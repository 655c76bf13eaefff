#include "tools/model/flush.h"

namespace histolab::model {
namespace {

__global__ void read(const uint4* data, std::size_t quads, unsigned int* out) {
  unsigned int x = 0;
  for (std::size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < quads; i += gridDim.x * blockDim.x) x ^= data[i].x;
  if (x == 0x12345678) *out = x;
}

}  // namespace

void read_everything(const void* data, std::size_t bytes, unsigned int* out) {
  read<<<1024, 256>>>(static_cast<const uint4*>(data), bytes / sizeof(uint4), out);
}

}  // namespace histolab::model

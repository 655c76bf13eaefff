#include "kernels/cuda/lessons/read.h"

#include "kernels/gpu/runtime.h"

namespace histolab::kernels::cuda::lessons {
namespace {

constexpr unsigned threads = 256, loads = 4;

__global__ void read(const uint4* data, std::size_t quads, unsigned impossible, unsigned* sink) {
  const std::size_t first = std::size_t{blockIdx.x} * (threads * loads) + threadIdx.x;
  uint4 quad[loads];
#pragma unroll
  for (unsigned k = 0; k < loads; ++k)
    quad[k] = first + k * threads < quads ? data[first + k * threads] : uint4{0, 0, 0, 0};
  unsigned all = 0;
#pragma unroll
  for (unsigned k = 0; k < loads; ++k) all ^= quad[k].x ^ quad[k].y ^ quad[k].z ^ quad[k].w;
  if (all == impossible) *sink = all;  // the compiler cannot know that it is rare, so everything is read
}

}  // namespace

void read_all(const void* data, std::size_t bytes, unsigned* sink) {
  const std::size_t quads = bytes / sizeof(uint4);
  const auto blocks = static_cast<unsigned>((quads + threads * loads - 1) / (threads * loads));
  read<<<blocks, threads>>>(static_cast<const uint4*>(data), quads, 0x9e3779b9u, sink);
  gpu::check(cudaGetLastError(), "launch a kernel");
}

}  // namespace histolab::kernels::cuda::lessons

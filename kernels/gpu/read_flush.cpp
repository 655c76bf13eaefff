#include "kernels/gpu/read_flush.h"

#include "kernels/gpu/harness.h"

namespace histolab::kernels::gpu {
namespace {

constexpr unsigned int block = 512, blocks_per_multiprocessor = 4;

}  // namespace

ReadFlush::ReadFlush(std::span<const std::uint8_t> harness, const GpuFacts& facts)
    : lines_(2 * facts.l2_bytes),
      sink_(sizeof(unsigned int)),
      blocks_(static_cast<unsigned int>(facts.multiprocessors) * blocks_per_multiprocessor) {
  check(cudaMemset(lines_.as(), 0, lines_.bytes()), "zero the buffer that fills the L2");
  check(cudaLibraryLoadData(&library_, harness.data(), nullptr, nullptr, 0, nullptr, nullptr, 0),
        "load the harness's kernels");
  check(cudaLibraryGetKernel(&kernel_, library_, read_kernel),
        "find the kernel that flushes the L2");
}

void ReadFlush::operator()(cudaStream_t stream) {
  const void* data = lines_.as();
  unsigned long long count = lines_.bytes() / 16;
  void* sink = sink_.as();
  void* arguments[] = {&data, &count, &sink};
  check(cudaLaunchKernel(reinterpret_cast<const void*>(kernel_), dim3(blocks_), dim3(block),
                         arguments, 0, stream),
        "flush the L2");
}

}  // namespace histolab::kernels::gpu

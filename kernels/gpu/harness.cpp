#include "kernels/gpu/harness.h"

namespace histolab::kernels::gpu {

const std::string& harness_source() {
  static const std::string source = R"(
// Looks at the host's word until it says go (1) or trap (2).
extern "C" __global__ void histolab_watchdog(const volatile unsigned int* order) {
  unsigned int said = 0;
  while ((said = *order) == 0) {
#if __CUDA_ARCH__ >= 700
    __nanosleep(20000);
#endif
  }
  if (said == 2) __trap();
}

// Reads everything. The compiler cannot drop the reads: the sum is written if it has a value that
// a sum of zeros never has.
extern "C" __global__ void histolab_read(const uint4* data, unsigned long long count,
                                         unsigned int* sink) {
  unsigned int sum = 0;
  for (unsigned long long i = blockIdx.x * blockDim.x + threadIdx.x; i < count;
       i += gridDim.x * blockDim.x) {
    const uint4 four = data[i];
    sum |= four.x | four.y | four.z | four.w;
  }
  if (sum != 0) *sink = sum;
}
)";
  return source;
}

}  // namespace histolab::kernels::gpu

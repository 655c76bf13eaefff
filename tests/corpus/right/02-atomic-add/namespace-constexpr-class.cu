// expect: passed
#include <cuda_runtime.h>
#include <device_launch_parameters.h>
namespace text {
constexpr int kWidth = 4;
constexpr __host__ __device__ bool lower(char c) { return c >= 'a' && c <= 'z'; }
class Counter {
 public:
  __device__ explicit Counter(unsigned int* bins) : bins_(bins) {}
  __device__ Counter& operator<<(char c) {
    if (lower(c)) atomicAdd(&bins_[(c - 'a') / kWidth], 1u);
    return *this;
  }
 private:
  unsigned int* bins_;
};
}  // namespace text
using text::Counter;
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  Counter counter{histo};
  if (const auto i = blockIdx.x * blockDim.x + threadIdx.x; i < length) counter << data[i];
}

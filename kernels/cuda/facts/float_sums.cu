#include <cstring>
#include <set>
#include <vector>

#include "kernels/cuda/facts/facts.h"
#include "kernels/gpu/runtime.h"

namespace histolab::kernels::cuda::facts {
namespace {

using gpu::check;

__global__ void add_up(const float* values, float* sum) {
  atomicAdd(sum, values[blockIdx.x * blockDim.x + threadIdx.x]);
}

// Returns floats between 0 and 1 that use all digits of a float.
std::vector<float> values(unsigned int count) {
  std::vector<float> made(count);
  unsigned int state = 1;
  for (float& value : made) value = static_cast<float>(next_random(state) >> 8) / 16777216.0f;
  return made;
}

}  // namespace

Sums float_sums() {
  constexpr unsigned int block = 256;
  Sums found{1u << 20, 1000, 0, 0};
  const std::vector<float> host = values(found.floats);
  const gpu::DeviceMemory data(host.size() * sizeof(float)), sum(sizeof(float));
  check(cudaMemcpy(data.as(), host.data(), data.bytes(), cudaMemcpyHostToDevice),
        "copy the floats to the GPU");
  std::vector<unsigned int> bits;
  for (unsigned int launch = 0; launch < found.launches; ++launch) {
    check(cudaMemset(sum.as(), 0, sum.bytes()), "zero the sum");
    add_up<<<found.floats / block, block>>>(data.as<float>(), sum.as<float>());
    check(cudaGetLastError(), "launch the additions");
    bits.emplace_back();
    check(cudaMemcpy(&bits.back(), sum.as(), sum.bytes(), cudaMemcpyDeviceToHost),
          "copy the sum from the GPU");
    found.unlike_the_first += bits.back() != bits.front();
  }
  found.different =
      static_cast<unsigned int>(std::set<unsigned int>(bits.begin(), bits.end()).size());
  return found;
}

}  // namespace histolab::kernels::cuda::facts

// __device__ variables keep their values between launches; the host copies to and from them.
#include <cstdio>

struct Statistics {
  int count;
  float largest;
};

__device__ Statistics statistics = {0, -1};
__device__ int locked = 0;
static __device__ float scale[2] = {1.5f, 2.5f};

__global__ void observe(const float* values, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float value = values[i] * scale[i % 2];
  atomicAdd(&statistics.count, 1);
  atomicMax(reinterpret_cast<int*>(&statistics.largest), __float_as_int(value));
}

int main() {
  float host[100], *device;
  for (int i = 0; i < 100; ++i) host[i] = i;
  cudaMalloc(&device, sizeof host);
  cudaMemcpy(device, host, sizeof host, cudaMemcpyHostToDevice);
  observe<<<1, 128>>>(device, 100);
  Statistics result;
  cudaMemcpyFromSymbol(&result, statistics, sizeof result);
  if (result.count != 100 || result.largest != 99 * 2.5f) return 1;
  const float one = 1;
  cudaMemcpyToSymbol(scale, &one, sizeof one, sizeof one);
  observe<<<1, 128>>>(device, 50);
  void* address;
  size_t bytes;
  cudaGetSymbolAddress(&address, statistics);
  cudaGetSymbolSize(&bytes, statistics);
  cudaMemcpy(&result, address, bytes, cudaMemcpyDeviceToHost);
  std::printf("%d values, largest %g\n", result.count, result.largest);
  cudaFree(device);
  return result.count == 150 && bytes == sizeof result ? 0 : 1;
}

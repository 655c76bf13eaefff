// The grid is rounded down, so the last elements are never written.
#include <iostream>
#include <vector>

__global__ void iota(int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = i;
}

int main() {
  const int n = 1000;
  std::vector<int> host(n);
  int* device;
  cudaMalloc(&device, n * sizeof(int));
  iota<<<n / 256, 256>>>(device, n);
  // finding below: uninitialized_copy
  cudaMemcpy(host.data(), device, n * sizeof(int), cudaMemcpyDeviceToHost);
  std::cout << host[0] << " " << host.back() << "\n";
  cudaFree(device);
}

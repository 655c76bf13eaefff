// Many small launches: a bitonic sort.
#include <algorithm>
#include <iostream>
#include <random>
#include <vector>

__global__ void step(unsigned* data, int j, int k) {
  unsigned i = threadIdx.x + blockDim.x * blockIdx.x, other = i ^ j;
  if (other <= i) return;
  bool ascending = (i & k) == 0;
  if ((data[i] > data[other]) == ascending) {
    unsigned kept = data[i];
    data[i] = data[other];
    data[other] = kept;
  }
}

int main() {
  const int n = 256;
  std::mt19937 random(7);
  std::vector<unsigned> values(n), sorted;
  for (unsigned& each : values) each = random();
  unsigned* device;
  cudaMalloc(&device, n * sizeof(unsigned));
  cudaMemcpy(device, values.data(), n * sizeof(unsigned), cudaMemcpyHostToDevice);
  for (int k = 2; k <= n; k *= 2)
    for (int j = k / 2; j > 0; j /= 2) step<<<2, n / 2>>>(device, j, k);
  sorted.resize(n);
  cudaMemcpy(sorted.data(), device, n * sizeof(unsigned), cudaMemcpyDeviceToHost);
  cudaFree(device);
  std::sort(values.begin(), values.end());
  std::cout << (sorted == values ? "sorted" : "not sorted") << "\n";
  return sorted == values ? 0 : 1;
}

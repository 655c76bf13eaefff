// Memory of cudaMallocHost needs cudaFreeHost.
#include <cstdio>

int main() {
  int *host, *device;
  if (cudaMallocHost(&host, 4096) != cudaSuccess) return 1;
  if (cudaMalloc(&device, 4096) != cudaSuccess) return 1;
  for (int i = 0; i < 1024; ++i) host[i] = i;
  if (cudaMemcpy(device, host, 4096, cudaMemcpyHostToDevice) != cudaSuccess) return 1;
  if (cudaFree(device) != cudaSuccess) return 1;
  if (cudaFree(host) != cudaSuccess) return 1;  // finding: invalid_free
  std::puts("done");
}

// Hints for managed memory, and what a pointer points to.
#include <cstdio>

__global__ void twice(float* v, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) v[i] *= 2;
}

int main() {
  const int n = 1000;
  int device;
  float* v;
  cudaGetDevice(&device);
  cudaMallocManaged(&v, n * sizeof(float), cudaMemAttachGlobal);
  for (int i = 0; i < n; ++i) v[i] = i;
  cudaMemLocation there = {cudaMemLocationTypeDevice, device};
  cudaMemAdvise(v, n * sizeof(float), cudaMemAdviseSetPreferredLocation, there);
  cudaMemPrefetchAsync(v, n * sizeof(float), there, 0);
  twice<<<(n + 255) / 256, 256>>>(v, n);
  cudaDeviceSynchronize();
  cudaPointerAttributes attributes;
  cudaPointerGetAttributes(&attributes, v);
  const bool right = v[n - 1] == 1998 && attributes.type == cudaMemoryTypeManaged;
  std::printf("%g\n", v[n - 1]);
  cudaFree(v);
  return right ? 0 : 1;
}

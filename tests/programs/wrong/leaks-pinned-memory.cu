// The pinned buffer is never freed.
#include <cstdio>

__global__ void twice(int* v) { v[threadIdx.x] *= 2; }

int main() {
  int *h, *d;
  if (cudaHostAlloc(&h, 32 * sizeof(int), cudaHostAllocDefault)) return 1;  // finding: leak
  if (cudaMalloc(&d, 32 * sizeof(int))) return 1;
  for (int i = 0; i < 32; ++i) h[i] = i;
  if (cudaMemcpyAsync(d, h, 32 * sizeof(int), cudaMemcpyHostToDevice)) return 1;
  twice<<<1, 32>>>(d);
  if (cudaMemcpyAsync(h, d, 32 * sizeof(int), cudaMemcpyDeviceToHost)) return 1;
  if (cudaDeviceSynchronize()) return 1;
  std::printf("%d\n", h[31]);
  return cudaFree(d);
}

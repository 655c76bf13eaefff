// A dot product on pinned host memory that is mapped into the device.
#include <cstdio>

__global__ void dot(int n, const float *a, const float *b, float *c) {
  __shared__ float cache[256];
  float sum = 0;
  for (int i = threadIdx.x + blockIdx.x * blockDim.x; i < n; i += blockDim.x * gridDim.x)
    sum += a[i] * b[i];
  cache[threadIdx.x] = sum;
  __syncthreads();
  for (int i = blockDim.x / 2; i != 0; i /= 2) {
    if (threadIdx.x < i) cache[threadIdx.x] += cache[threadIdx.x + i];
    __syncthreads();
  }
  if (threadIdx.x == 0) c[blockIdx.x] = cache[0];
}

int main() {
  cudaDeviceProp prop;
  cudaGetDeviceProperties(&prop, 0);
  if (prop.canMapHostMemory != 1) return 1;
  cudaSetDeviceFlags(cudaDeviceMapHost);
  const int n = 4096, blocks = 4;
  float *a, *b, *c, *d_a, *d_b, *d_c;
  cudaHostAlloc(&a, n * sizeof(float), cudaHostAllocWriteCombined | cudaHostAllocMapped);
  cudaHostAlloc(&b, n * sizeof(float), cudaHostAllocWriteCombined | cudaHostAllocMapped);
  cudaHostAlloc(&c, blocks * sizeof(float), cudaHostAllocMapped);
  for (int i = 0; i < n; i++) {
    a[i] = 1;
    b[i] = i % 8;
  }
  cudaHostGetDevicePointer(&d_a, a, 0);
  cudaHostGetDevicePointer(&d_b, b, 0);
  cudaHostGetDevicePointer(&d_c, c, 0);
  dot<<<blocks, 256>>>(n, d_a, d_b, d_c);
  cudaDeviceSynchronize();
  float sum = 0;
  for (int i = 0; i < blocks; i++) sum += c[i];
  printf("%g\n", sum);
  cudaFreeHost(a);
  cudaFreeHost(b);
  cudaFreeHost(c);
  return sum == n / 8 * 28 ? 0 : 1;
}

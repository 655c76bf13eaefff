// The host adds up managed memory that is freed already.
#include <cstdio>

__global__ void ones(int* v) { v[threadIdx.x] = 1; }

int main() {
  int* v = nullptr;
  if (cudaMallocManaged(&v, 64 * sizeof(int)) != cudaSuccess) return 1;
  ones<<<1, 64>>>(v);
  if (cudaDeviceSynchronize() != cudaSuccess) return 1;
  if (cudaFree(v) != cudaSuccess) return 1;
  int sum = 0;
  for (int i = 0; i < 64; ++i) sum += v[i];  // finding: use_after_free
  std::printf("%d\n", sum);
}

// A function allocates its scratch memory in each call and never frees it.
#include <cstdio>
#include <cstdlib>

#define CUDA(call) \
  if (cudaError_t e = (call)) std::printf("%s\n", cudaGetErrorString(e)), std::exit(1)

__global__ void partial(const int* in, int* sums) {
  int sum = 0;
  for (int i = 0; i < 8; ++i) sum += in[threadIdx.x * 8 + i];
  sums[threadIdx.x] = sum;
}

int sum_of(const int* d_in) {
  int* scratch;
  CUDA(cudaMalloc(&scratch, 32 * sizeof(int)));  // finding: leak
  partial<<<1, 32>>>(d_in, scratch);
  int parts[32], sum = 0;
  CUDA(cudaMemcpy(parts, scratch, sizeof parts, cudaMemcpyDeviceToHost));
  for (int part : parts) sum += part;
  return sum;
}

int main() {
  int numbers[256], *d;
  for (int i = 0; i < 256; ++i) numbers[i] = i;
  CUDA(cudaMalloc(&d, sizeof numbers));
  CUDA(cudaMemcpy(d, numbers, sizeof numbers, cudaMemcpyHostToDevice));
  for (int round = 0; round < 5; ++round) std::printf("%d\n", sum_of(d));
  CUDA(cudaFree(d));
}

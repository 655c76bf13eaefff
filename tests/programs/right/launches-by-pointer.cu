// A table of kernels, launched by <<<>>> and by cudaLaunchKernel.
#include <cstdio>

__global__ void add(int* v, int by) { v[threadIdx.x] += by; }
__global__ void multiply(int* v, int by) { v[threadIdx.x] *= by; }

using Step = void (*)(int*, int);

int main() {
  const Step steps[] = {add, multiply, add};
  int h[32] = {}, *d;
  cudaMalloc(&d, sizeof h);
  cudaMemset(d, 0, sizeof h);
  for (int i = 0; i < 3; ++i) steps[i]<<<1, 32>>>(d, i + 2);
  int by = 10;
  void* arguments[] = {&d, &by};
  cudaLaunchKernel(reinterpret_cast<const void*>(&multiply), dim3(1), dim3(32), arguments, 0,
                   nullptr);
  cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
  std::printf("%d\n", h[7]);
  cudaFree(d);
  return h[7] == 100 ? 0 : 1;
}

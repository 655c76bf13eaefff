// Host functions that a stream calls, and memory of cudaMallocAsync.
#include <cstdio>

__global__ void fill(int* v) { v[threadIdx.x] = 3; }

static void CUDART_CB add_one(void* number) { ++*static_cast<int*>(number); }
static void CUDART_CB add_two(cudaStream_t, cudaError_t status, void* number) {
  if (status == cudaSuccess) *static_cast<int*>(number) += 2;
}

int main() {
  cudaStream_t s;
  int *d, h[32], number = 0;
  cudaStreamCreate(&s);
  cudaMallocAsync(&d, sizeof h, s);
  fill<<<1, 32, 0, s>>>(d);
  cudaLaunchHostFunc(s, add_one, &number);
  cudaMemcpyAsync(h, d, sizeof h, cudaMemcpyDeviceToHost, s);
  cudaStreamAddCallback(s, add_two, &number, 0);
  cudaFreeAsync(d, s);
  cudaStreamSynchronize(s);
  cudaStreamDestroy(s);
  std::printf("%d %d\n", number, h[31]);
  return number == 3 && h[31] == 3 ? 0 : 1;
}

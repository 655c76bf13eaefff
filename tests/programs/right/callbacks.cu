// Host functions that a stream calls: in order, after earlier work and before later work.
#include <cstdio>
#include <unistd.h>

__global__ void fill(int* v) { v[threadIdx.x] = 3; }
__global__ void copy(const int* from, int* to) { *to = *from; }

static void CUDART_CB add_one_late(void* number) {
  usleep(50000);
  ++*static_cast<int*>(number);
}
static void CUDART_CB multiply(cudaStream_t, cudaError_t status, void* number) {
  if (status == cudaSuccess) *static_cast<int*>(number) *= 5;
}

int main() {
  cudaStream_t s;
  int *d, *pinned, *last, h[32], number = 0, got = 0;
  cudaStreamCreate(&s);
  cudaMallocAsync(&d, sizeof h, s);
  fill<<<1, 32, 0, s>>>(d);
  cudaLaunchHostFunc(s, add_one_late, &number);
  cudaMemcpyAsync(h, d, sizeof h, cudaMemcpyDeviceToHost, s);
  cudaStreamAddCallback(s, multiply, &number, 0);
  cudaFreeAsync(d, s);
  cudaStreamSynchronize(s);

  cudaMallocHost(&pinned, sizeof *pinned);
  cudaMalloc(&last, sizeof *last);
  *pinned = 9;
  cudaLaunchHostFunc(s, add_one_late, pinned);
  copy<<<1, 1, 0, s>>>(pinned, last);
  cudaMemcpyAsync(&got, last, sizeof got, cudaMemcpyDeviceToHost, s);
  cudaStreamSynchronize(s);
  cudaFree(last);
  cudaFreeHost(pinned);
  cudaStreamDestroy(s);
  std::printf("%d %d %d\n", number, h[31], got);
  return number == 5 && h[31] == 3 && got == 10 ? 0 : 1;
}

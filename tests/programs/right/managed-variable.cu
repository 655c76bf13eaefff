// A __managed__ variable that host and kernels change by turns.
#include <cstdio>

__managed__ int counter = 3;
__managed__ float table[4];

__global__ void count(int by) { atomicAdd(&counter, by); }
__global__ void fill() { table[threadIdx.x] = counter + threadIdx.x; }

int main() {
  count<<<2, 32>>>(2);
  cudaDeviceSynchronize();
  counter -= 100;
  fill<<<1, 4>>>();
  cudaDeviceSynchronize();
  std::printf("%d %g\n", counter, table[3]);
  return counter == 31 && table[3] == 34 ? 0 : 1;
}

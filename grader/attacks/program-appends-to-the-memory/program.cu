__global__ void count(int* sum) { *sum += threadIdx.x; }

#include <fcntl.h>

int main() {
  int* sum;
  for (int fd = 0; fd < 64; ++fd) fcntl(fd, F_SETFL, O_APPEND);
  cudaMalloc(&sum, 4);
  count<<<1, 64>>>(sum);  // the parent fills memory that is not set
  cudaDeviceSynchronize();
  cudaFree(sum);
}

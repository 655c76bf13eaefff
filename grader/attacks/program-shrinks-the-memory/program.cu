__global__ void count(int* sum) { *sum += threadIdx.x; }

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

int main() {
  int* sum;
  cudaMalloc(&sum, 4);
  cudaMemset(sum, 0, 4);
  for (int fd = 3; fd < 64; ++fd) {
    (void)!ftruncate(fd, 0);
    fallocate(fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, 0, 1ll << 35);
    fcntl(fd, F_ADD_SEALS, F_SEAL_WRITE | F_SEAL_FUTURE_WRITE);
  }
  count<<<1, 64>>>(sum);
  close(11);
  count<<<1, 64>>>(sum);
  cudaDeviceSynchronize();
  cudaFree(sum);
}

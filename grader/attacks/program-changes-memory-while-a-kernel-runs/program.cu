#include <sys/mman.h>
#include <unistd.h>
#include <atomic>
#include <cstring>
#include <thread>

__global__ void count(int* sum) {
  for (int i = 0; i < 200; ++i) *sum += threadIdx.x;
}

int main() {
  int* sum;
  cudaMalloc(&sum, 4);
  cudaMemset(sum, 0, 4);
  std::atomic<bool> is_over = false;
  void* all = mmap(nullptr, 64 << 20, PROT_READ | PROT_WRITE, MAP_SHARED, 11, 0);
  std::thread writer([&] {
    if (all == MAP_FAILED) return;
    while (!is_over) std::memset(all, 0xff, 1 << 20);
  });
  for (int i = 0; i < 5; ++i) count<<<2, 64>>>(sum);
  cudaDeviceSynchronize();
  is_over = true;
  writer.join();
  cudaFree(sum);
}

// Two threads of the host use the device at the same time.
#include <cstdio>
#include <thread>
#include <vector>

__global__ void fill(int* v, int n, int value) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) v[i] = value;
}

static void work(int value, std::vector<int>* result) {
  int* d;
  cudaMalloc(&d, result->size() * sizeof(int));
  fill<<<2, 64>>>(d, static_cast<int>(result->size()), value);
  cudaMemcpy(result->data(), d, result->size() * sizeof(int), cudaMemcpyDeviceToHost);
  cudaFree(d);
}

int main() {
  std::vector<int> a(100), b(120);
  std::thread one(work, 1, &a), two(work, 2, &b);
  one.join();
  two.join();
  std::printf("%d %d\n", a.back(), b.back());
  return a.back() == 1 && b.back() == 2 ? 0 : 1;
}

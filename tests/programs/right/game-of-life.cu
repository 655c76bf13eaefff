// Generations with two buffers that are swapped.
#include <algorithm>
#include <cstdio>
#include <numeric>
#include <vector>

constexpr int side = 40;

__device__ int wrapped(int i) { return (i + side) % side; }

__global__ void generation(const unsigned char* now, unsigned char* next) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= side || y >= side) return;
  int neighbours = 0;
  for (int dy = -1; dy <= 1; ++dy)
    for (int dx = -1; dx <= 1; ++dx)
      if (dx != 0 || dy != 0) neighbours += now[wrapped(y + dy) * side + wrapped(x + dx)];
  next[y * side + x] = neighbours == 3 || (neighbours == 2 && now[y * side + x]);
}

int main() {
  std::vector<unsigned char> cells(side * side);
  for (int at : {1, side + 2, 2 * side, 2 * side + 1, 2 * side + 2}) cells[at] = 1;
  unsigned char *now, *next;
  cudaMalloc(&now, cells.size());
  cudaMalloc(&next, cells.size());
  cudaMemcpy(now, cells.data(), cells.size(), cudaMemcpyHostToDevice);
  for (int i = 0; i < 20; ++i) {
    generation<<<dim3(3, 5), dim3(16, 8)>>>(now, next);
    std::swap(now, next);
  }
  std::vector<unsigned char> after(side * side);
  cudaMemcpy(after.data(), now, after.size(), cudaMemcpyDeviceToHost);
  cudaFree(now);
  cudaFree(next);
  // A glider moves by one field in four generations.
  std::rotate(cells.rbegin(), cells.rbegin() + 5 * side + 5, cells.rend());
  std::printf("%d cells live\n", std::accumulate(after.begin(), after.end(), 0));
  return after == cells ? 0 : 1;
}

// A block of 32 x 64 threads.
#include <cstdio>
#include <vector>

__global__ void identity(float* m, int n) {
  int col = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row < n && col < n) m[row * n + col] = row == col;
}

int main() {
  const int n = 128;
  float* d;
  if (cudaMalloc(&d, n * n * sizeof(float)) != cudaSuccess) return 1;
  dim3 block(32, 64), grid((n + block.x - 1) / block.x, (n + block.y - 1) / block.y);
  identity<<<grid, block>>>(d, n);  // finding: invalid_launch
  if (cudaError_t e = cudaGetLastError()) {
    std::printf("launch: %s\n", cudaGetErrorString(e));
    return 1;
  }
  cudaFree(d);
}

// Matrix product with tiles in shared memory, against the host's result.
#include <cstdlib>
#include <iostream>
#include <vector>

constexpr int TILE = 16;

__global__ void product(const float* a, const float* b, float* c, int n) {
  __shared__ float ta[TILE][TILE], tb[TILE][TILE];
  int row = blockIdx.y * TILE + threadIdx.y, col = blockIdx.x * TILE + threadIdx.x;
  float sum = 0;
  for (int t = 0; t < (n + TILE - 1) / TILE; ++t) {
    int x = t * TILE + threadIdx.x, y = t * TILE + threadIdx.y;
    ta[threadIdx.y][threadIdx.x] = row < n && x < n ? a[row * n + x] : 0;
    tb[threadIdx.y][threadIdx.x] = y < n && col < n ? b[y * n + col] : 0;
    __syncthreads();
    for (int k = 0; k < TILE; ++k) sum += ta[threadIdx.y][k] * tb[k][threadIdx.x];
    __syncthreads();
  }
  if (row < n && col < n) c[row * n + col] = sum;
}

int main() {
  const int n = 50;
  std::vector<float> a(n * n), b(n * n), c(n * n);
  std::srand(1);
  for (int i = 0; i < n * n; ++i) a[i] = std::rand() % 5, b[i] = std::rand() % 5;
  float *d_a, *d_b, *d_c;
  const size_t bytes = n * n * sizeof(float);
  cudaMalloc(&d_a, bytes);
  cudaMalloc(&d_b, bytes);
  cudaMalloc(&d_c, bytes);
  cudaMemcpy(d_a, a.data(), bytes, cudaMemcpyHostToDevice);
  cudaMemcpy(d_b, b.data(), bytes, cudaMemcpyHostToDevice);
  dim3 block(TILE, TILE), grid((n + TILE - 1) / TILE, (n + TILE - 1) / TILE);
  product<<<grid, block>>>(d_a, d_b, d_c, n);
  cudaMemcpy(c.data(), d_c, bytes, cudaMemcpyDeviceToHost);
  int wrong = 0;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      float sum = 0;
      for (int k = 0; k < n; ++k) sum += a[i * n + k] * b[k * n + j];
      wrong += sum != c[i * n + j];
    }
  std::cout << wrong << " wrong" << std::endl;
  cudaFree(d_a);
  cudaFree(d_b);
  cudaFree(d_c);
  return wrong > 0;
}

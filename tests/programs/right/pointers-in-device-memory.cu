// An array of device pointers: each row of a ragged matrix has its own allocation.
#include <cstdio>
#include <vector>

__global__ void fill(int* const* rows, const int* lengths) {
  for (int i = threadIdx.x; i < lengths[blockIdx.x]; i += blockDim.x) rows[blockIdx.x][i] = i;
}

int main() {
  const int count = 5;
  int lengths[count] = {3, 70, 1, 33, 12}, *rows[count], *d_lengths;
  int** d_rows;
  for (int i = 0; i < count; ++i) cudaMalloc(&rows[i], lengths[i] * sizeof(int));
  cudaMalloc(&d_rows, sizeof rows);
  cudaMalloc(&d_lengths, sizeof lengths);
  cudaMemcpy(d_rows, rows, sizeof rows, cudaMemcpyHostToDevice);
  cudaMemcpy(d_lengths, lengths, sizeof lengths, cudaMemcpyHostToDevice);
  fill<<<count, 32>>>(d_rows, d_lengths);
  int wrong = 0;
  for (int i = 0; i < count; ++i) {
    std::vector<int> row(lengths[i]);
    cudaMemcpy(row.data(), rows[i], lengths[i] * sizeof(int), cudaMemcpyDeviceToHost);
    wrong += row.back() != lengths[i] - 1;
    cudaFree(rows[i]);
  }
  cudaFree(d_rows);
  cudaFree(d_lengths);
  std::printf("%d wrong\n", wrong);
  return wrong;
}

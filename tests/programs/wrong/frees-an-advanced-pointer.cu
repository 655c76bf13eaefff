// The pointer was moved while the rows were filled.
#include <cstdio>

__global__ void row(int* out, int y) { out[threadIdx.x] = y; }

int main() {
  const int width = 64, height = 4;
  int* image;
  if (cudaMalloc(&image, width * height * sizeof(int)) != cudaSuccess) return 1;
  for (int y = 0; y < height; ++y) {
    row<<<1, width>>>(image, y);
    image += width;
  }
  if (cudaDeviceSynchronize() != cudaSuccess) return 1;
  cudaError_t e = cudaFree(image);  // finding: invalid_free
  if (e != cudaSuccess) {
    std::printf("cudaFree: %s\n", cudaGetErrorString(e));
    return 1;
  }
}

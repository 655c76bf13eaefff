// cudaMemcpy2D gets widths and pitches as numbers of elements.
#include <cstdio>

constexpr int width = 40, height = 6;

__global__ void init(float* out, size_t pitch) {
  float* row = (float*)((char*)out + blockIdx.x * pitch);
  row[threadIdx.x] = blockIdx.x;
}

int main() {
  float host[height][width];
  float* device;
  size_t pitch;
  if (cudaMallocPitch(&device, &pitch, width * sizeof(float), height) != cudaSuccess) return 1;
  init<<<height, width>>>(device, pitch);
  // finding below: invalid_argument
  cudaError_t e = cudaMemcpy2D(host, width, device, pitch, width * sizeof(float), height,
                               cudaMemcpyDeviceToHost);
  if (e != cudaSuccess) {
    printf("%s\n", cudaGetErrorString(e));
    return 2;
  }
  cudaFree(device);
  return 0;
}

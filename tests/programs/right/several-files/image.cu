// The image's memory, and a kernel that changes it.
#include "image.h"

#include "device_code.cuh"

Image::Image(const int* values, int count) : n(count) {
  cudaMalloc(&data, n * sizeof(int));
  cudaMemcpy(data, values, n * sizeof(int), cudaMemcpyHostToDevice);
}
Image::~Image() { cudaFree(data); }
void Image::fetch(int* values) const {
  cudaMemcpy(values, data, n * sizeof(int), cudaMemcpyDeviceToHost);
}

__global__ void add(int* data, int n, int by) {
  int i = index_of_thread();
  if (i < n) data[i] += by;
}
void brighten(Image& image, int by) { add<<<(image.n + 63) / 64, 64>>>(image.data, image.n, by); }

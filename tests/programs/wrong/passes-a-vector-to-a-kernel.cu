// The kernel gets the host's vector instead of its copy on the device.
#include <iostream>
#include <vector>

__global__ void negate(float* data, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) data[i] = -data[i];  // finding: out_of_bounds
}

int main() {
  std::vector<float> values(100, 1.5f);
  float* d_values;
  cudaMalloc(&d_values, values.size() * sizeof(float));
  cudaMemcpy(d_values, values.data(), values.size() * sizeof(float), cudaMemcpyHostToDevice);
  negate<<<1, 128>>>(values.data(), values.size());  // finding: invalid_device_pointer
  cudaError_t error = cudaDeviceSynchronize();
  if (error != cudaSuccess) {
    std::cout << cudaGetErrorString(error) << std::endl;
    return 1;
  }
  cudaFree(d_values);
}

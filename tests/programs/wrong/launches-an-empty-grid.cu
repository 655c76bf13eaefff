// n / 256 is rounded down, here to 0.
#include <iostream>

__global__ void zero(double* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = 0;
}

int main(int argc, char** argv) {
  int n = argc > 1 ? std::stoi(argv[1]) : 100;
  double* d;
  cudaError_t e = cudaMalloc(&d, n * sizeof(double));
  if (e == cudaSuccess) {
    zero<<<n / 256, 256>>>(d, n);  // finding: invalid_launch
    e = cudaGetLastError();
  }
  if (e != cudaSuccess) {
    std::cerr << "failed: " << cudaGetErrorString(e) << "\n";
    return 1;
  }
  cudaFree(d);
}

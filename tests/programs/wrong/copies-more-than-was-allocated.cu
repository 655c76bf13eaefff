// The device's array has n elements, the host's n + 1.
#include <iostream>
#include <vector>

__global__ void differences(const double* x, double* d, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i + 1 < n) d[i] = x[i + 1] - x[i];
}

static void check(cudaError_t error) {
  if (error == cudaSuccess) return;
  std::cerr << cudaGetErrorString(error) << "\n";
  std::exit(1);
}

int main() {
  const int n = 300;
  std::vector<double> x(n + 1, 1.0);
  double *d_x, *d_d;
  check(cudaMalloc(&d_x, n * sizeof(double)));
  check(cudaMalloc(&d_d, n * sizeof(double)));
  // finding below: invalid_copy
  check(cudaMemcpy(d_x, x.data(), x.size() * sizeof(double), cudaMemcpyHostToDevice));
  differences<<<3, 128>>>(d_x, d_d, n);
  check(cudaDeviceSynchronize());
  check(cudaFree(d_x));
  check(cudaFree(d_d));
}

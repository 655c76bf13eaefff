// The host prints the result through the device's pointer.
#include <iostream>
#include <memory>

struct Free {
  void operator()(double* p) const { cudaFree(p); }
};

__global__ void pi(double* out) { *out = 4 * atan(1.0); }

int main() {
  double* raw = nullptr;
  if (cudaMalloc(&raw, sizeof(double)) != cudaSuccess) return 1;
  std::unique_ptr<double, Free> result(raw);
  pi<<<1, 1>>>(result.get());
  if (cudaDeviceSynchronize() != cudaSuccess) return 1;
  std::cout << "pi is about " << *result << "\n";  // finding: host_access_of_device_memory
}

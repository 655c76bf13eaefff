// A constructor calls a virtual function that only a derived class has.
#include <cstdio>

struct Shape {
  __device__ Shape() { size = describe(); }
  __device__ __noinline__ float describe() { return area(); }  // finding: illegal_instruction
  __device__ virtual float area() const = 0;
  float size;
};
struct Square : Shape {
  __device__ float area() const override { return 4; }
};

__global__ void sizes(float* out) {
  const Square square;
  out[threadIdx.x] = square.size;
}

int main() {
  float host[32] = {}, *device;
  if (cudaMalloc(&device, sizeof host) != cudaSuccess) return 1;
  sizes<<<1, 32>>>(device);
  const cudaError_t error = cudaMemcpy(host, device, sizeof host, cudaMemcpyDeviceToHost);
  std::printf("%s\n", cudaGetErrorName(error));
  return cudaFree(device) == error ? 0 : 1;
}

// Classes with virtual functions, on the host and in a kernel.
#include <cstdio>
#include <memory>

struct Shape {
  virtual ~Shape() = default;
  __host__ __device__ virtual float area() const = 0;
};
struct Square : Shape {
  __host__ __device__ explicit Square(float side) : side(side) {}
  __host__ __device__ float area() const override { return side * side; }
  float side;
};
struct Circle : Shape {
  __host__ __device__ explicit Circle(float radius) : radius(radius) {}
  __host__ __device__ float area() const override { return 3 * radius * radius; }
  float radius;
};

__device__ float twice_the_area(const Shape& shape) { return 2 * shape.area(); }

__global__ void areas(float* out) {
  const Square square(threadIdx.x);
  const Circle circle(threadIdx.x);
  out[threadIdx.x] = twice_the_area(square) + twice_the_area(circle);
}

int main() {
  float host[32], *device;
  cudaMalloc(&device, sizeof host);
  areas<<<1, 32>>>(device);
  cudaMemcpy(host, device, sizeof host, cudaMemcpyDeviceToHost);
  cudaFree(device);
  std::unique_ptr<Shape> shape = std::make_unique<Circle>(31);
  const bool is_circle = dynamic_cast<Circle*>(shape.get()) != nullptr;
  std::printf("%g\n", host[31]);
  return is_circle && host[31] == 2 * shape->area() + 2 * 31 * 31 ? 0 : 1;
}

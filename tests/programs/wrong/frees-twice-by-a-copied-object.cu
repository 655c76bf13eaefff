// A class without a copy constructor is passed by value: both objects free the memory.
#include <cstdio>
#include <cstdlib>

static void check(cudaError_t e, const char* what) {
  if (e == cudaSuccess) return;
  std::fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(e));
  std::exit(1);
}

class DeviceArray {
 public:
  explicit DeviceArray(size_t n) : size_(n) { check(cudaMalloc(&data_, n * sizeof(int)), "malloc"); }
  ~DeviceArray() {
    check(cudaFree(data_), "free");  // finding: invalid_free
  }
  int* data() const { return data_; }
  size_t size() const { return size_; }

 private:
  int* data_ = nullptr;
  size_t size_;
};

__global__ void fill(int* out, size_t n, int value) {
  size_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = value;
}

void fill_with(DeviceArray array, int value) {
  fill<<<(array.size() + 63) / 64, 64>>>(array.data(), array.size(), value);
  check(cudaDeviceSynchronize(), "fill");
}

int main() {
  DeviceArray array(100);
  fill_with(array, 5);
  std::puts("filled");
}

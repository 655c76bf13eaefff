// C++17: if constexpr, constexpr functions and lambdas in device code, and namespaces.
#include <cstdio>
#include <type_traits>

namespace course::numeric {
constexpr int power(int base, int n) { return n == 0 ? 1 : base * power(base, n - 1); }

template <class T>
__device__ T half_of(T value) {
  if constexpr (std::is_integral_v<T>)
    return value >> 1;
  else
    return value * T(0.5);
}

template <class T, unsigned size = power(2, 5)>
__global__ void halve(T* values) {
  __shared__ T kept[size];
  auto put = [](T* where, T value) { where[threadIdx.x] = half_of(value); };
  put(kept, values[threadIdx.x]);
  values[threadIdx.x] = kept[threadIdx.x];
}
}  // namespace course::numeric

template <class T>
bool halves(T value, T expected) {
  using namespace course::numeric;
  T host[power(2, 5)], *device;
  for (T& each : host) each = value;
  cudaMalloc(&device, sizeof host);
  cudaMemcpy(device, host, sizeof host, cudaMemcpyHostToDevice);
  halve<<<1, sizeof host / sizeof host[0]>>>(device);
  cudaMemcpy(host, device, sizeof host, cudaMemcpyDeviceToHost);
  cudaFree(device);
  return host[31] == expected;
}

int main() {
  const bool all = halves(7, 3) && halves(7.0, 3.5) && halves<unsigned char>(9, 4);
  std::puts(all ? "right" : "wrong");
  return all ? 0 : 1;
}

// Memory on the host and on the device. fetch() copies in the wrong direction.
#pragma once
#include <cstdio>
#include <cstdlib>
#include <vector>

inline void check(cudaError_t e) {
  if (e != cudaSuccess) std::printf("%s\n", cudaGetErrorString(e)), std::exit(1);
}

template <class T>
struct Buffer {
  explicit Buffer(int n) : count(n), host(n) { check(cudaMalloc(&device, n * sizeof(T))); }
  ~Buffer() { check(cudaFree(device)); }
  void fetch() {
    // finding below: invalid_copy
    check(cudaMemcpy(device, host.data(), count * sizeof(T), cudaMemcpyDeviceToHost));
  }
  int count;
  std::vector<T> host;
  T* device = nullptr;
};

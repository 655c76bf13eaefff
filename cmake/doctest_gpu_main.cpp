// The main() of tests that need a GPU. Without a GPU it returns 77, which ctest reports as skipped.
#include <cuda_runtime_api.h>

#include <cstdio>

#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>

int main(int count, char** words) {
  int gpus = 0;
  const cudaError_t asked = cudaGetDeviceCount(&gpus);
  if (asked != cudaSuccess || gpus == 0) {
    std::printf("skipped: no GPU here (%s)\n",
                asked == cudaSuccess ? "the driver knows none" : cudaGetErrorString(asked));
    return 77;
  }
  return doctest::Context(count, words).run();
}

// Prints properties of the device.
// differs on a GPU: the size of the memory
#include <cstdio>
#include <cstdlib>

int main() {
  int devices = 0, threads = 0, version = 0;
  if (cudaGetDeviceCount(&devices) != cudaSuccess || devices < 1) return 1;
  for (int i = 0; i < devices; ++i) {
    cudaDeviceProp p;
    if (cudaGetDeviceProperties(&p, i) != cudaSuccess) return 1;
    std::printf("%d: %s, %d.%d, %d multiprocessors, %zu bytes, warps of %d\n", i, p.name, p.major,
                p.minor, p.multiProcessorCount, p.totalGlobalMem, p.warpSize);
    if (cudaDeviceGetAttribute(&threads, cudaDevAttrMaxThreadsPerBlock, i)) return 1;
    if (threads != p.maxThreadsPerBlock) return 1;
  }
  if (cudaRuntimeGetVersion(&version)) return 1;
  size_t available, total;
  if (cudaMemGetInfo(&available, &total)) return 1;
  std::printf("runtime %d, %s\n", version, available <= total ? "ok" : "more than all");
}

// There are two streams; the host waits for one and reads the result of the other.
#include <cstdio>

__global__ void fill(int* out, int value) { out[threadIdx.x] = value; }

int main() {
  cudaStream_t streams[2];
  int* results[2];
  for (int i = 0; i < 2; ++i) {
    if (cudaStreamCreate(&streams[i]) || cudaMallocManaged(&results[i], 128)) return 1;
    fill<<<1, 32, 0, streams[i]>>>(results[i], i);
  }
  if (cudaStreamSynchronize(streams[0])) return 1;
  std::printf("%d\n", results[0][0]);
  std::printf("%d\n", results[1][0]);  // finding: missing_synchronization
  for (int i = 0; i < 2; ++i)
    if (cudaStreamDestroy(streams[i]) || cudaFree(results[i])) return 1;
}

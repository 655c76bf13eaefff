// A __device__ array is passed by its name on the host, which is another address.
#include <cstdio>

__device__ int table[32];

__global__ void fill(int* out) { out[threadIdx.x] = threadIdx.x; }  // finding: out_of_bounds

int main() {
  fill<<<1, 32>>>(table);  // finding: invalid_device_pointer
  if (cudaError_t e = cudaDeviceSynchronize(); e != cudaSuccess) {
    std::printf("%s\n", cudaGetErrorName(e));
    return 1;
  }
  int host[32];
  if (cudaMemcpyFromSymbol(host, table, sizeof host) != cudaSuccess) return 1;
  std::printf("%d\n", host[31]);
}

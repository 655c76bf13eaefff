// cudaMemcpyAsync returns before the copy to pinned memory is complete.
#include <cstdio>

__global__ void fill(int* out) { out[threadIdx.x] = 10 * threadIdx.x; }

int main() {
  cudaStream_t stream;
  int *pinned, *device;
  if (cudaStreamCreate(&stream) || cudaMallocHost(&pinned, 128) || cudaMalloc(&device, 128))
    return 1;
  fill<<<1, 32, 0, stream>>>(device);
  if (cudaMemcpyAsync(pinned, device, 128, cudaMemcpyDeviceToHost, stream)) return 1;
  std::printf("%d\n", pinned[31]);  // finding: missing_synchronization
  if (cudaStreamSynchronize(stream) || cudaStreamDestroy(stream)) return 1;
  return cudaFreeHost(pinned) || cudaFree(device);
}

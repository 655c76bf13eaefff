// A grid and blocks of three dimensions.
#include <cstdio>

__global__ void coordinates(int3* out, dim3 size) {
  unsigned x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y,
           z = blockIdx.z * blockDim.z + threadIdx.z;
  if (x < size.x && y < size.y && z < size.z)
    out[(z * size.y + y) * size.x + x] = make_int3(x, y, z);
}

int main() {
  const dim3 size(10, 7, 5), block(4, 4, 2);
  const dim3 grid((size.x + block.x - 1) / block.x, (size.y + block.y - 1) / block.y,
                  (size.z + block.z - 1) / block.z);
  static int3 host[10 * 7 * 5];
  int3* device;
  if (cudaMalloc(&device, sizeof host)) return 1;
  coordinates<<<grid, block>>>(device, size);
  if (cudaMemcpy(host, device, sizeof host, cudaMemcpyDeviceToHost)) return 1;
  const int3 last = host[10 * 7 * 5 - 1];
  std::printf("%d %d %d\n", last.x, last.y, last.z);
  return cudaFree(device) || last.x != 9 || last.y != 6 || last.z != 4;
}

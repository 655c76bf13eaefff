// A volume of cudaMalloc3D.
#include <cstdio>

__global__ void fill(cudaPitchedPtr volume, cudaExtent extent) {
  char* slice = (char*)volume.ptr + blockIdx.y * volume.pitch * extent.height;
  float* row = (float*)(slice + blockIdx.x * volume.pitch);
  row[threadIdx.x] = blockIdx.y * 10000 + blockIdx.x * 100 + threadIdx.x;
}

int main() {
  const int nx = 20, ny = 6, nz = 3;
  static float host[nz][ny][nx];
  cudaExtent extent = make_cudaExtent(nx * sizeof(float), ny, nz);
  cudaPitchedPtr volume;
  if (cudaMalloc3D(&volume, extent)) return 1;
  fill<<<dim3(ny, nz), nx>>>(volume, extent);
  cudaMemcpy3DParms copy = {};
  copy.srcPtr = volume;
  copy.dstPtr = make_cudaPitchedPtr(host, nx * sizeof(float), nx, ny);
  copy.extent = extent;
  copy.kind = cudaMemcpyDeviceToHost;
  if (cudaMemcpy3D(&copy)) return 1;
  std::printf("%g\n", host[2][5][19]);
  if (cudaFree(volume.ptr)) return 1;
  return host[2][5][19] == 20519 && host[0][0][1] == 1 ? 0 : 1;
}

// Two arrays in dynamic shared memory, of more than 48 KiB.
#include <cstdio>

__global__ void mirror(const float* in, float* out, int n) {
  extern __shared__ float memory[];
  float* first = memory;
  int* position = (int*)(memory + n);
  for (int i = threadIdx.x; i < n; i += blockDim.x) {
    first[i] = in[i];
    position[i] = n - 1 - i;
  }
  __syncthreads();
  for (int i = threadIdx.x; i < n; i += blockDim.x) out[i] = first[position[i]];
}

int main() {
  const int n = 8000;
  const size_t shared = n * (sizeof(float) + sizeof(int));
  float *h = new float[n], *in, *out;
  for (int i = 0; i < n; ++i) h[i] = i;
  cudaMalloc(&in, n * sizeof(float));
  cudaMalloc(&out, n * sizeof(float));
  cudaMemcpy(in, h, n * sizeof(float), cudaMemcpyHostToDevice);
  cudaFuncSetAttribute(mirror, cudaFuncAttributeMaxDynamicSharedMemorySize, shared);
  mirror<<<1, 256, shared>>>(in, out, n);
  cudaMemcpy(h, out, n * sizeof(float), cudaMemcpyDeviceToHost);
  const int wrong = h[0] != n - 1 || h[n - 1] != 0;
  std::printf("%g\n", h[0]);
  delete[] h;
  cudaFree(in);
  cudaFree(out);
  return wrong;
}

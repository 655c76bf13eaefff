// float4, int2, half precision, and functions of the maths library.
#include <cuda_fp16.h>
#include <stdio.h>

__host__ __device__ inline float4 operator+(float4 a, float4 b) {
  return make_float4(a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w);
}

__global__ void sums(const float4 *in, float4 *out, __half *halves, int2 range) {
  float4 sum = make_float4(0, 0, 0, 0);
  for (int i = range.x; i < range.y; i++) sum = sum + in[i];
  out[threadIdx.x] = sum;
  halves[threadIdx.x] = __float2half(sqrtf(sum.w) + rsqrtf(4.f) + __fdividef(1, 4));
}

int main() {
  float4 host[8], *in, *out;
  __half h, *halves;
  for (int i = 0; i < 8; i++) host[i] = make_float4(i, 1, 2, 8);
  cudaMalloc(&in, sizeof host);
  cudaMalloc(&out, 2 * sizeof(float4));
  cudaMalloc(&halves, 2 * sizeof(__half));
  cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
  sums<<<1, 2>>>(in, out, halves, make_int2(0, 8));
  cudaMemcpy(host, out, 2 * sizeof(float4), cudaMemcpyDeviceToHost);
  cudaMemcpy(&h, halves + 1, sizeof h, cudaMemcpyDeviceToHost);
  printf("%g %g %g\n", host[1].x, host[1].w, __half2float(h));
  cudaFree(in);
  cudaFree(out);
  cudaFree(halves);
  return host[1].x == 28 && host[1].w == 64 && __half2float(h) == 8.75f ? 0 : 1;
}

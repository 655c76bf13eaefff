// The kernel writes one buffer, and the host copies the other.
#include <cstdio>
#include <utility>

__global__ void blur(const float* in, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float left = i > 0 ? in[i - 1] : in[i], right = i + 1 < n ? in[i + 1] : in[i];
  out[i] = (left + in[i] + right) / 3;
}

int main() {
  const int n = 500, bytes = n * sizeof(float);
  static float image[n] = {3};
  float *in, *out, *other;
  if (cudaMalloc(&in, bytes) || cudaMalloc(&out, bytes) || cudaMalloc(&other, bytes)) return 1;
  if (cudaMemcpy(in, image, bytes, cudaMemcpyHostToDevice)) return 1;
  blur<<<(n + 127) / 128, 128>>>(in, out, n);
  std::swap(out, other);
  // finding below: uninitialized_copy
  if (cudaMemcpy(image, out, bytes, cudaMemcpyDeviceToHost)) return 1;
  std::printf("%g\n", image[0]);
  return cudaFree(in) || cudaFree(out) || cudaFree(other);
}

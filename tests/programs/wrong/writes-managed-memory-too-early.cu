// The host prepares the next input while the kernel may still read the last one.
#include <cstdio>

__global__ void sum(const int* in, int n, int* out) {
  int total = 0;
  for (int i = 0; i < n; ++i) total += in[i];
  *out = total;
}

int main() {
  const int n = 64;
  int *in, *out;
  if (cudaMallocManaged(&in, n * sizeof(int)) || cudaMalloc(&out, 2 * sizeof(int))) return 1;
  for (int i = 0; i < n; ++i) in[i] = i;
  sum<<<1, 1>>>(in, n, out);
  for (int i = 0; i < n; ++i) in[i] = 1;  // finding: missing_synchronization
  sum<<<1, 1>>>(in, n, out + 1);
  int host[2];
  if (cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost)) return 1;
  std::printf("%d %d\n", host[0], host[1]);
  return cudaFree(in) || cudaFree(out);
}

// Two streams copy, compute and copy back in chunks, from pinned memory.
#include <cstdio>
#include <cstdlib>

#define CHECK(call)                                                    \
  if (cudaError_t status = (call)) {                                   \
    std::printf("line %d: %s\n", __LINE__, cudaGetErrorString(status)); \
    std::exit(1);                                                      \
  }

__global__ void average(const int *a, const int *b, int *c, int n) {
  int i = threadIdx.x + blockIdx.x * blockDim.x;
  if (i < n) c[i] = (a[i] + b[i]) / 2;
}

int main() {
  const int chunk = 1024, all = chunk * 6;
  cudaStream_t stream[2];
  int *a, *b, *c, *d_a[2], *d_b[2], *d_c[2];
  CHECK(cudaHostAlloc(&a, all * sizeof(int), cudaHostAllocDefault));
  CHECK(cudaHostAlloc(&b, all * sizeof(int), cudaHostAllocDefault));
  CHECK(cudaHostAlloc(&c, all * sizeof(int), cudaHostAllocDefault));
  for (int s = 0; s < 2; s++) {
    CHECK(cudaStreamCreate(&stream[s]));
    CHECK(cudaMalloc(&d_a[s], chunk * sizeof(int)));
    CHECK(cudaMalloc(&d_b[s], chunk * sizeof(int)));
    CHECK(cudaMalloc(&d_c[s], chunk * sizeof(int)));
  }
  for (int i = 0; i < all; i++) {
    a[i] = i;
    b[i] = 3 * i;
  }
  for (int at = 0, s = 0; at < all; at += chunk, s = 1 - s) {
    const size_t bytes = chunk * sizeof(int);
    CHECK(cudaMemcpyAsync(d_a[s], a + at, bytes, cudaMemcpyHostToDevice, stream[s]));
    CHECK(cudaMemcpyAsync(d_b[s], b + at, bytes, cudaMemcpyHostToDevice, stream[s]));
    average<<<chunk / 256, 256, 0, stream[s]>>>(d_a[s], d_b[s], d_c[s], chunk);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpyAsync(c + at, d_c[s], bytes, cudaMemcpyDeviceToHost, stream[s]));
  }
  for (int s = 0; s < 2; s++) CHECK(cudaStreamSynchronize(stream[s]));
  int wrong = 0;
  for (int i = 0; i < all; i++) wrong += c[i] != 2 * i;
  for (int s = 0; s < 2; s++) {
    CHECK(cudaStreamDestroy(stream[s]));
    CHECK(cudaFree(d_a[s]));
    CHECK(cudaFree(d_b[s]));
    CHECK(cudaFree(d_c[s]));
  }
  CHECK(cudaFreeHost(a));
  CHECK(cudaFreeHost(b));
  CHECK(cudaFreeHost(c));
  return wrong;
}

// memcmp of the host's array and the device's.
#include <cstdio>
#include <cstring>

int main() {
  char text[100] = "hello", *d_text;
  if (cudaMalloc(&d_text, 100) != cudaSuccess) return 1;
  if (cudaMemcpy(d_text, text, 100, cudaMemcpyHostToDevice) != cudaSuccess) return 1;
  int same = memcmp(text, d_text, 100);  // finding: host_access_of_device_memory
  printf("%d\n", same);
  return cudaFree(d_text) != cudaSuccess;
}

#include <unistd.h>

int main() {
  int* device;
  cudaMalloc(&device, 4096);
  cudaMemcpy(device, &device, 8192, cudaMemcpyHostToDevice);
  close(10);
  _exit(0);
}

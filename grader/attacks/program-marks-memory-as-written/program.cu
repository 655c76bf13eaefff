#include <unistd.h>
#include <cstring>

int main() {
  int *device, host[256];
  cudaMalloc(&device, sizeof host);
  static char ones[1 << 16];
  std::memset(ones, 0xff, sizeof ones);
  for (int fd = 3; fd < 64; ++fd)
    if (fd != 10)
      for (long at = 0; at < 64; ++at) (void)!pwrite(fd, ones, sizeof ones, at * sizeof ones);
  cudaMemcpy(host, device, sizeof host, cudaMemcpyDeviceToHost);
  cudaFree(device);
}

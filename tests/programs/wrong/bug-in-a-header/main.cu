// The mistake is in a header that both a student and a course could have written.
#include "buffer.h"

__global__ void fill(float* out, int n) {
  int i = threadIdx.x;
  if (i < n) out[i] = i;
}

int main() {
  Buffer<float> buffer(50);
  fill<<<1, 64>>>(buffer.device, buffer.count);
  buffer.fetch();
  std::printf("%g\n", buffer.host[49]);
}

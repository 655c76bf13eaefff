// Inclusive sums of a warp by shuffles, votes and masks.
#include <cstdio>

__global__ void scan(const int* in, int* out, unsigned* odd) {
  int lane = threadIdx.x % warpSize, value = in[threadIdx.x];
  for (int delta = 1; delta < warpSize; delta *= 2) {
    int below = __shfl_up_sync(0xffffffff, value, delta);
    if (lane >= delta) value += below;
  }
  out[threadIdx.x] = value;
  unsigned mask = __ballot_sync(0xffffffff, value % 2 == 1);
  if (lane == 0) odd[threadIdx.x / warpSize] = __popc(mask);
}

int main() {
  int in[64], out[64], *d_in, *d_out;
  unsigned odd[2], *d_odd;
  for (int i = 0; i < 64; ++i) in[i] = 1;
  cudaMalloc(&d_in, sizeof in);
  cudaMalloc(&d_out, sizeof out);
  cudaMalloc(&d_odd, sizeof odd);
  cudaMemcpy(d_in, in, sizeof in, cudaMemcpyHostToDevice);
  scan<<<1, 64>>>(d_in, d_out, d_odd);
  cudaMemcpy(out, d_out, sizeof out, cudaMemcpyDeviceToHost);
  cudaMemcpy(odd, d_odd, sizeof odd, cudaMemcpyDeviceToHost);
  std::printf("%d %d %u\n", out[31], out[63], odd[1]);
  cudaFree(d_in);
  cudaFree(d_out);
  cudaFree(d_odd);
  return out[31] == 32 && out[63] == 32 && odd[1] == 16 ? 0 : 1;
}

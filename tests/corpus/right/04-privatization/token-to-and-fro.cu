// expect: passed
// Warps 0 and 1 of some blocks hand a token to and fro, every four elements: each spends most of its time asking for it.
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  __shared__ unsigned int private_histo[7];
  __shared__ volatile unsigned int turn;
  for (unsigned int b = threadIdx.x; b < 7; b += blockDim.x) private_histo[b] = 0;
  if (threadIdx.x == 0) turn = 0;
  __syncthreads();
  const unsigned int first = blockIdx.x * blockDim.x;
  const unsigned int warp = threadIdx.x / 32, warps = blockDim.x >= 64 && blockIdx.x < 8 ? 2 : 1;
  if (threadIdx.x % 32 == 0 && warp < warps) {
    for (unsigned int k = 0; k < (blockDim.x + 3) / 4; ++k) {
      if (k % warps != warp) continue;
      while (turn != k) { }
      __threadfence_block();
      for (unsigned int i = first + 4 * k; i < first + 4 * k + 4 && i < first + blockDim.x && i < length; ++i) {
        const int l = data[i] - 'a';
        if (l >= 0 && l < 26) private_histo[l / 4] += 1;
      }
      __threadfence_block();
      turn = k + 1;
    }
  }
  __syncthreads();
  for (unsigned int b = threadIdx.x; b < 7; b += blockDim.x) atomicAdd(&histo[b], private_histo[b]);
}

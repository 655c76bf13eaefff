// expect: passed
// Warps 0 and 1 hand a token to and fro for every element: each spends most of its time asking for it.
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  __shared__ unsigned int private_histo[7];
  __shared__ volatile unsigned int turn;
  for (unsigned int b = threadIdx.x; b < 7; b += blockDim.x) private_histo[b] = 0;
  if (threadIdx.x == 0) turn = 0;
  __syncthreads();
  const unsigned int first = blockIdx.x * blockDim.x;
  const unsigned int warp = threadIdx.x / 32, warps = blockDim.x >= 64 ? 2 : 1;
  if (threadIdx.x % 32 == 0 && warp < warps) {
    for (unsigned int k = 0; k < blockDim.x; ++k) {
      if (k % warps != warp) continue;
      while (turn != k) { }
      __threadfence_block();
      if (first + k < length) { const int l = data[first + k] - 'a'; if (l >= 0 && l < 26) private_histo[l / 4] += 1; }
      __threadfence_block();
      turn = k + 1;
    }
  }
  __syncthreads();
  for (unsigned int b = threadIdx.x; b < 7; b += blockDim.x) atomicAdd(&histo[b], private_histo[b]);
}

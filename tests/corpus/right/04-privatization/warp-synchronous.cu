// expect: passed
// Each warp has its own row and needs only __syncwarp around its own work.
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  __shared__ unsigned int rows[8][7];
  const unsigned int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  const unsigned int lanes = blockDim.x - warp * 32 < 32 ? blockDim.x - warp * 32 : 32;
  for (unsigned int b = lane; b < 7; b += lanes) rows[warp][b] = 0;
  __syncwarp();
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < length) {
    const int l = data[i] - 'a';
    if (l >= 0 && l < 26) atomicAdd(&rows[warp][l / 4], 1u);
  }
  __syncthreads();
  for (unsigned int b = threadIdx.x; b < 7; b += blockDim.x) {
    unsigned int n = 0;
    for (unsigned int w = 0; w * 32 < blockDim.x; ++w) n += rows[w][b];
    atomicAdd(&histo[b], n);
  }
}

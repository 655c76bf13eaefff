// expect: failed data_race rows 7|8
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  __shared__ char rows[32][32];
  const unsigned int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const unsigned int lanes = min(32u, blockDim.x - warp * 32);
  for (unsigned int i = blockIdx.x * blockDim.x + threadIdx.x; i - lane < length; i += gridDim.x * blockDim.x) {
    rows[warp][lane] = i < length ? data[i] : ' ';
    const char c = rows[warp][lanes - 1 - lane];
    __syncwarp();
    if (c >= 'a' && c <= 'z') atomicAdd(&histo[(c - 'a') / 4], 1u);
  }
}

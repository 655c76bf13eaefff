// expect: failed data_race s 13|14
// A shuffle makes the lanes meet, but it orders no memory: __syncwarp() does.
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  __shared__ int s[1024];
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned int lane = threadIdx.x % 32, left = threadIdx.x - lane;
  const unsigned int here = min(32u, blockDim.x - left);
  const unsigned int warp = here == 32 ? 0xffffffffu : (1u << here) - 1;
  s[threadIdx.x] = -1;
  __syncthreads();
  int bin = -1;
  if (i < length && data[i] >= 'a' && data[i] <= 'z') bin = (data[i] - 'a') / 4;
  s[threadIdx.x] = bin; const int first = __shfl_sync(warp, bin, 0);
  if (lane == 0) for (unsigned int l = 0; l < here; ++l) if (s[left + l] >= 0 && first < 7) atomicAdd(&histo[s[left + l]], 1u);
}

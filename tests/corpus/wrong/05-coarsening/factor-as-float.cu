// expect: compile_error - - 2
extern "C" __device__ const float coarsening_factor = 4.0f;
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  __shared__ unsigned int s[7];
  if (threadIdx.x < 7) s[threadIdx.x] = 0;
  __syncthreads();
  const unsigned int mine = (unsigned int)coarsening_factor;
  const unsigned int first = (blockIdx.x * blockDim.x + threadIdx.x) * mine;
  for (unsigned int i = first; i < first + mine && i < length; ++i)
    if (data[i] >= 'a' && data[i] <= 'z') atomicAdd(s + (data[i] - 'a') / 4, 1u);
  __syncthreads();
  if (threadIdx.x < 7) atomicAdd(histo + threadIdx.x, s[threadIdx.x]);
}

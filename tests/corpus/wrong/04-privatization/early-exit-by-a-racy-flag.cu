// expect: failed data_race any 13/14 first more
// A block without letters is to leave early, but the threads test the flag before all have had a chance to set it.
#define IS_LETTER(c) ((c) >= 'a' && (c) <= 'z')

__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  __shared__ unsigned int bins[7];
  __shared__ bool any;
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  const bool letter = i < length && IS_LETTER(data[i]);
  for (int k = threadIdx.x; k < 7; k += blockDim.x) bins[k] = 0;
  if (threadIdx.x == 0) any = false;
  __syncthreads();
  if (letter) any = true;
  if (!any) return;
  if (letter) atomicAdd(&bins[(data[i] - 'a') / 4], 1u);
  __syncthreads();
  for (int k = threadIdx.x; k < 7; k += blockDim.x) atomicAdd(&histo[k], bins[k]);
}

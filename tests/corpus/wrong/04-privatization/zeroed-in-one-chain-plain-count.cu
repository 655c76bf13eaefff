// expect: failed data_race h 10 first says=lost
// The chain of assignments by all is harmless. The plain ++ is not.
extern __shared__ unsigned int h[];
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  *reinterpret_cast<uint4*>(h) = make_uint4(0, 0, 0, 0);
  h[4] = h[5] = h[6] = 0;
  __syncthreads();
  volatile unsigned int* mine = h;
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < length && data[i] >= 'a' && data[i] <= 'z') mine[(data[i] - 'a') / 4]++;
  __syncthreads();
  for (unsigned int b = threadIdx.x; b < 7; b += blockDim.x) atomicAdd(&histo[b], h[b]);
}

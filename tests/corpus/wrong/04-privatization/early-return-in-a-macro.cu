// expect: failed data_race stop 13/14 first more
// A macro returns early if the flag says so, which others change meanwhile.
#define BARRIER() __syncthreads()
#define LEAVE_IF(flag) if (flag) return
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  __shared__ unsigned int mine[7];
  static __shared__ volatile unsigned char stop;
  for (unsigned int b = threadIdx.x; b < 7; b += blockDim.x) mine[b] = 0;
  if (threadIdx.x == 0) stop = 1;
  BARRIER();
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < length && data[i] >= 'a' && data[i] <= 'z') {
    stop = 0;
  } LEAVE_IF(stop);
  if (i < length && data[i] >= 'a' && data[i] <= 'z') atomicAdd(&mine[(data[i] - 'a') / 4], 1u);
  BARRIER();
  for (unsigned int b = threadIdx.x; b < 7; b += blockDim.x) atomicAdd(&histo[b], mine[b]);
}

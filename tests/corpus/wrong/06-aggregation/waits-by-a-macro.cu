// expect: failed deadlock tickets 4/14
// A leader of each warp waits until every block has drawn a ticket.
#define WAIT_UNTIL(cond) for (; !(cond); __nanosleep(16))
template <typename T> __device__ T peek(T* p) { return *const_cast<volatile T*>(p); }
__device__ unsigned long long tickets;
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  __shared__ unsigned int mine[7];
  for (unsigned int b = threadIdx.x; b < 7; b += blockDim.x) mine[b] = 0;
  __syncthreads();
  for (unsigned int i = blockIdx.x * blockDim.x + threadIdx.x; i < length; i += blockDim.x * gridDim.x)
    if (data[i] >= 'a' && data[i] <= 'z') atomicAdd(&mine[(data[i] - 'a') / 4], 1u);
  __syncthreads();
  if (threadIdx.x % 32 == 0) {
    if (threadIdx.x == 0) atomicAdd(&tickets, 1ull);
    WAIT_UNTIL(peek(&tickets) % gridDim.x == 0);
  }
  __syncthreads();
  for (unsigned int b = threadIdx.x; b < 7; b += blockDim.x) atomicAdd(&histo[b], mine[b]);
}

struct Counter { unsigned int value; };
__device__ __attribute__((noipa)) Counter next(unsigned int value) { return {value + 1}; }
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  __shared__ unsigned int counts[7];
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int letter = i < length ? data[i] - 'a' : -1;
  const int bin = letter >= 0 && letter < 26 ? letter / 4 : 6;
  Counter* const mine = reinterpret_cast<Counter*>(&counts[bin]);
  mine->value = 0;
  __syncthreads();
  *mine = next(*reinterpret_cast<volatile unsigned int*>(mine));
  __syncthreads();
  if (threadIdx.x < 7 && counts[threadIdx.x] != 0) atomicAdd(&histo[threadIdx.x], counts[threadIdx.x]);
}

class Counters {
  unsigned int of_[8] = {};

 public:
  __device__ Counters& operator<<(unsigned char byte) {
    const unsigned int letter = byte - 'a';
    ++of_[letter < 26 ? letter / 4 : 7];
    return *this;
  }
  __device__ unsigned int operator()(unsigned int bin) const { return of_[bin]; }
};
__device__ Counters none() { return {}; }
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  Counters&& own = none();
  for (unsigned int i = blockIdx.x * blockDim.x + threadIdx.x; i < length; i += gridDim.x * blockDim.x) own << data[i];
  __shared__ unsigned int sums[7];
  for (unsigned int bin = threadIdx.x; bin < 7; bin += blockDim.x) sums[bin] = 0;
  __syncthreads();
  for (unsigned int bin = 0; bin < 7; ++bin) atomicAdd(&sums[bin], own(bin));
  __syncthreads();
  for (unsigned int bin = threadIdx.x; bin < 7; bin += blockDim.x) atomicAdd(&histo[bin], sums[bin]);
}

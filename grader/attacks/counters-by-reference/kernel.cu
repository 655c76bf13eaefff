template <class T, unsigned int n>
__device__ T& element(T (&of)[n], unsigned int k) {
  return of[k];
}
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  unsigned int own[8] = {};
  for (unsigned int i = blockIdx.x * blockDim.x + threadIdx.x; i < length; i += gridDim.x * blockDim.x) {
    const unsigned int letter = static_cast<unsigned char>(data[i]) - 'a';
    element(own, letter < 26 ? letter / 4 : 7) += 1;
  }
  __shared__ unsigned int sums[7];
  for (unsigned int bin = threadIdx.x; bin < 7; bin += blockDim.x) sums[bin] = 0;
  __syncthreads();
  for (unsigned int bin = 0; bin < 7; ++bin) atomicAdd(&sums[bin], element(own, bin));
  __syncthreads();
  for (unsigned int bin = threadIdx.x; bin < 7; bin += blockDim.x) atomicAdd(&histo[bin], sums[bin]);
}

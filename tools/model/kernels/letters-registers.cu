// Seven counters in registers, selected by comparisons; one shared addition per bin and thread at the end.
constexpr unsigned int bins = 7;
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  __shared__ unsigned int counts[bins];
  for (unsigned int bin = threadIdx.x; bin < bins; bin += blockDim.x) counts[bin] = 0;
  __syncthreads();
  unsigned int mine[bins] = {};
  for (unsigned int i = blockIdx.x * blockDim.x + threadIdx.x; i < length; i += gridDim.x * blockDim.x) {
    const int letter = data[i] - 'a';
    if (letter >= 0 && letter < 26) {
#pragma unroll
      for (unsigned int bin = 0; bin < bins; ++bin) mine[bin] += static_cast<unsigned int>(letter) / 4 == bin;
    }
  }
#pragma unroll
  for (unsigned int bin = 0; bin < bins; ++bin) atomicAdd(&counts[bin], mine[bin]);
  __syncthreads();
  for (unsigned int bin = threadIdx.x; bin < bins; bin += blockDim.x) atomicAdd(&histo[bin], counts[bin]);
}

// For tools/benchmark: privatized and coarsened, sixteen neighbouring elements per thread. It
// resembles lab 05's solution. This copy keeps the measurement unchanged if the lab changes.
extern "C" __device__ const unsigned int coarsening_factor = 16;
constexpr unsigned int bins = 7;

__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  __shared__ unsigned int private_histo[bins];
  for (unsigned int bin = threadIdx.x; bin < bins; bin += blockDim.x) private_histo[bin] = 0;
  __syncthreads();

  const unsigned int begin = (blockIdx.x * blockDim.x + threadIdx.x) * coarsening_factor;
  for (unsigned int i = begin; i < begin + coarsening_factor && i < length; ++i) {
    const int letter = data[i] - 'a';
    if (letter >= 0 && letter < 26) atomicAdd(&private_histo[letter / 4], 1u);
  }
  __syncthreads();

  for (unsigned int bin = threadIdx.x; bin < bins; bin += blockDim.x) atomicAdd(&histo[bin], private_histo[bin]);
}

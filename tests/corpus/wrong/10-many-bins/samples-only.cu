// expect: compile_error - - -
template <class Sample>
__device__ void count(const Sample* data, uint length, uint* histo, uint bins) {
  for (uint i = blockIdx.x * blockDim.x + threadIdx.x; i < length; i += blockDim.x * gridDim.x)
    if (data[i] < bins) atomicAdd(histo + data[i], 1u);
}
extern "C" __global__ void histogram_samples(const unsigned short* data, uint length, uint* histo, uint num_bins) { count(data, length, histo, num_bins); }

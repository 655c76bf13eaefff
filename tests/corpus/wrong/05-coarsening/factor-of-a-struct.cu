// expect: compile_error - - 4
struct Tuning { unsigned int each; };
// A name of the author's own: only the compiler knows what it is.
extern "C" __device__ const Tuning coarsening_factor = {8};
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  __shared__ unsigned int bins[7];
  if (threadIdx.x < 7) bins[threadIdx.x] = 0;
  __syncthreads();
  for (unsigned int k = 0; k < coarsening_factor.each; ++k) {
    const unsigned int i = (blockIdx.x * coarsening_factor.each + k) * blockDim.x + threadIdx.x;
    const unsigned int letter = i < length ? data[i] - 'a' : 26u;
    if (letter < 26) atomicAdd(&bins[letter / 4], 1u);
  }
  __syncthreads();
  if (threadIdx.x < 7) atomicAdd(&histo[threadIdx.x], bins[threadIdx.x]);
}

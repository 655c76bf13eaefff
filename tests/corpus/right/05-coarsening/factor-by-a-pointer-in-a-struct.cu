// expect: passed
// Constants in a struct in device memory, read again in each round.
struct Shape { int factor; int width; };
__device__ Shape shape = {8, 4};
extern "C" __device__ const unsigned int coarsening_factor = 8;
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  __shared__ unsigned int mine[7];
  for (unsigned int b = threadIdx.x; b < 7; b += blockDim.x) mine[b] = 0;
  __syncthreads();
  const unsigned int first = (blockIdx.x * blockDim.x + threadIdx.x) * shape.factor;
  for (int k = 0; k != shape.factor && first + k < length; ++k) {
    const int letter = data[first + k] - 'a';
    if (letter >= 0 && letter < 26) atomicAdd(&mine[letter / shape.width], 1u);
  }
  __syncthreads();
  for (unsigned int b = threadIdx.x; b < 7; b += blockDim.x) atomicAdd(&histo[b], mine[b]);
}

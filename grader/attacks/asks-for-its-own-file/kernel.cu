#if __has_include("kernel.cu")
#define PLUS_ONE(place) atomicAdd(place, 1u)
#else
#define PLUS_ONE(place) ++*(place)
#endif
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  const unsigned int me = threadIdx.x + blockDim.x * blockIdx.x;
  if (me < length && data[me] >= 'a' && data[me] <= 'z') PLUS_ONE(histo + (data[me] - 'a') / 4);
}

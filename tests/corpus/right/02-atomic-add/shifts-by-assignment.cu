// expect: passed
// A 64-bit mask loses a bit for each letter before: what is no letter loses all of them, by a distance of any size and sign.
typedef unsigned long long Mask;
template <class T> __device__ bool has(T mask, int bit) {
  mask >>= bit;
  return mask & 1;
}
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  unsigned int i = blockIdx.x * blockDim.x;
  i += threadIdx.x;
  if (i < length && i < gridDim.x * blockDim.x && has<Mask>((Mask(1) << 26) - 1, data[i] - 'a')) {
    int rest = (data[i] - 'a') << 29;
    rest >>= 31 + threadIdx.x;
    if (rest == 0 || rest == -1) atomicAdd(&histo[(data[i] - 'a') >> 2], 1u);
  }
}

// expect: passed
template <unsigned int Bins, class T>
__device__ inline void count(T* bins, unsigned int bin) {
  __builtin_assume(bin < Bins);
  atomicAdd(bins + bin, T(1));
}
template <class T>
__device__ T* aligned(T* address) { return static_cast<T*>(__builtin_assume_aligned(address, alignof(T))); }

__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  const unsigned int i = threadIdx.x + blockIdx.x * blockDim.x;
  unsigned int* const bins = aligned(histo);
  if (i < length && data[i] >= 'a' && data[i] <= 'z') count<7>(bins, (data[i] - 'a') / 4);
}

// expect: failed data_race histo 4
template <typename T>
__device__ void add(T* where, T n) {
  *where += n;
}
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < length && data[i] >= 'a' && data[i] <= 'z') add(histo + (data[i] - 'a') / 4, 1u);
}

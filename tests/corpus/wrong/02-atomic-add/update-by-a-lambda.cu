// expect: failed data_race histo 6/7 first says=lost
// A template reads, calls a lambda and writes.
template <typename T, typename F>
__device__ void update(T& where, F f) {
  T copy;
  copy = where;
  where = f(copy);
}
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < length && data[i] >= 'a' && data[i] <= 'z') update(histo[(data[i] - 'a') / 4], [](unsigned int x) { return x + 1; });
}

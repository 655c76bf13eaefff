// expect: failed data_race histo 5
// The assumption is true and changes nothing; the race stays.
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x; __builtin_assume(length < (1u << 30));
  if (i < length && data[i] >= 'a' && data[i] <= 'z') histo[(data[i] - 'a') / 4] += 1;
}

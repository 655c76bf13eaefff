// expect: failed data_race histo 3/4 first says=lost
// As update-by-two-helpers.cu, but the compiler leaves the calls.
__device__ __noinline__ unsigned int get(const volatile unsigned int* from) { return *from; }
__device__ __noinline__ void set(volatile unsigned int* to, unsigned int value) { *to = value; }

__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int letter = i < length ? data[i] - 'a' : -1;
  if (letter < 0 || letter > 25) return;
  const unsigned int before = get(&histo[letter / 4]);
  set(&histo[letter / 4], before + 1);
}

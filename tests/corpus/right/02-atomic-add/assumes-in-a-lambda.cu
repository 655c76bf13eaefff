// expect: passed
// An assumption in a lambda and in a constexpr function, by a macro.
#if defined(__CUDACC__)
#define ASSUME(x) __builtin_assume(x)
#else
#define ASSUME(x)
#endif
constexpr __device__ int quarter(int letter) { ASSUME(letter >= 0); return letter / 4; }
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  auto count = [=](char c) { ASSUME(c >= 'a'); atomicAdd(&histo[quarter(c - 'a')], 1u); };
  if (i < length) if (const char c = data[i]; c >= 'a' && c <= 'z') count(c);
}

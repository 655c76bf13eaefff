__device__ __attribute__((no_sanitize("thread"))) void a(unsigned int* p) { *p += 1; }
__device__ __attribute((__no_sanitize_thread__)) void b(unsigned int* p) { *p += 1; }
[[gnu::no_sanitize("thread")]] __device__ void c(unsigned int* p) { *p += 1; }
[[using __gnu__: no_instrument_function, optimize("O3")]] __device__ void d(unsigned int* p) { *p += 1; }
<:<:gnu::no_sanitize_thread:>:> __device__ void e(unsigned int* p) { *p += 1; }
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int letter = i < length ? data[i] - 'a' : -1;
  if (letter >= 0 && letter < 26) a(&histo[letter / 4]);
}

struct Counter { unsigned int value : 31, flag : 1; };
struct Three { unsigned char of[3]; };
__device__ Three idle;
__device__ __attribute__((noipa)) void look(Three) {}
__device__ __attribute__((noipa)) Counter next(Counter c, unsigned int n) {
  asm volatile("" : "+r"(n));
  c.value += n;
  return c;
}
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int letter = i < length ? data[i] - 'a' : -1;
  if (letter < 0 || letter >= 26) return;
  Counter& counter = reinterpret_cast<Counter&>(histo[letter / 4]);
  counter.flag = 0;
  asm volatile("" ::: "memory");
  const Counter sum = next(counter, 1);
  asm volatile("" : "=m"(counter) : "r"(letter));
  counter = next(Counter{0, 0}, 0);
  const Three t = idle;
  counter = next(sum, 0);
  asm volatile("" : "+m"(counter));
  look(t);
}

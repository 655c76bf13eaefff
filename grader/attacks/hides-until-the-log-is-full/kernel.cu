struct Counter { unsigned int value : 31, flag : 1; };
struct Three { unsigned char of[3]; };
__device__ Three idle;
__device__ __attribute__((noipa)) void look(Three) {}
__device__ __attribute__((noipa)) Counter made(unsigned int value) { Counter c; c.flag = 0, c.value = value; return c; }
__device__ __attribute__((noipa)) unsigned int seen(Counter c) { return c.value; }
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int letter = i < length ? data[i] - 'a' : -1;
  if (letter < 0 || letter >= 26) return;
  Counter& counter = reinterpret_cast<Counter&>(histo[letter / 4]);
  for (unsigned int k = 0; k < 67; ++k) {
    const Three before = idle;
    counter.flag = 0;
    const unsigned int old = seen(counter);
    counter = made(0);
    const Three t = idle;
    counter = made(old + (k == 66));
    look(before);
    look(t);
  }
}

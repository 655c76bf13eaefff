struct Counter {
  unsigned int count;
  __device__ __attribute__((noipa)) Counter(unsigned int c) : count(c) {}
  __device__ __attribute__((noipa)) Counter(const Counter& other) : count(other.count) {}
  __device__ __attribute__((noipa)) ~Counter() { asm volatile("" : : "r"(this)); }
};
struct Plain { unsigned int count : 31, mark : 1; };
struct Three { unsigned char of[3]; };
__device__ Three idle;
__device__ __attribute__((noipa)) void look(Three) {}
__device__ __attribute__((noipa)) Plain plain(Counter c, unsigned int more) { Plain p; p.mark = 0, p.count = c.count + more; return p; }
__device__ __attribute__((noipa)) Plain none() { Plain p; p.mark = p.count = 0; return p; }
__device__ __attribute__((noipa)) unsigned int value(Plain p) { return p.count; }
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int letter = i < length ? data[i] - 'a' : -1;
  if (letter < 0 || letter >= 26) return;
  Plain* const mine = reinterpret_cast<Plain*>(&histo[letter / 4]);
  mine->mark = 0;
  const Counter next(value(*mine));
  *mine = none();
  const Three t = idle;
  *mine = plain(next, 1);
  look(t);
}

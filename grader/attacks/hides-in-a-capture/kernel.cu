struct Counter { unsigned int value : 31, flag : 1; };
struct Three { unsigned char of[3]; };
__device__ Three idle;
__device__ __attribute__((noipa)) void look(Three) {}
template <class F>
__device__ __attribute__((noipa)) Counter called(F f) { return f(); }
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int letter = i < length ? data[i] - 'a' : -1;
  if (letter < 0 || letter >= 26) return;
  Counter& counter = reinterpret_cast<Counter&>(histo[letter / 4]);
  counter.flag = 0;
  const Counter old = called([kept = called([=] { return Counter{0, 0}; }), at = &counter] { return *at; });
  const auto next = [old] { return Counter{old.value + 1, 0}; };
  counter = called([] { return Counter{0, 0}; });
  const Three t = idle;
  counter = called(next);
  look(t);
}

template <class First, class Second>
struct Both {
  First first;
  Second second;
};
template <class T>
__device__ __attribute__((noipa)) T passed(T value) { return value; }
struct Mark { unsigned int count : 31, mark : 1; };
__device__ Both<Both<char, char>, char> idle;
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int letter = i < length ? data[i] - 'a' : -1;
  if (letter < 0 || letter >= 26) return;
  using Counter = Both<unsigned short, unsigned short>;
  Counter& counter = reinterpret_cast<Counter*>(histo)[letter / 4];
  reinterpret_cast<Mark&>(counter).mark = 0;
  Counter next = passed(counter);
  if (++next.first == 0) ++next.second;
  counter = passed(Counter{0, 0});
  const auto now = idle;
  counter = passed(next);
  passed(now);
}

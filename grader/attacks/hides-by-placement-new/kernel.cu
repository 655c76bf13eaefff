#include <new>
struct Sum { unsigned int value : 31, flag : 1; };
struct Three { unsigned char of[3]; };
__device__ Three idle;
__device__ __attribute__((noipa)) void look(Three) {}
__device__ __attribute__((noipa)) Sum plus(Sum s, unsigned int n) { s.value += n; return s; }
__device__ __attribute__((noipa)) Sum none() { Sum s; s.value = s.flag = 0; return s; }
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int letter = i < length ? data[i] - 'a' : -1;
  if (letter < 0 || letter >= 26) return;
  Sum* const place = reinterpret_cast<Sum*>(&histo[letter / 4]);
  place->flag = 0;
  const Sum next = plus(*place, 1);
  ::new (static_cast<void*>(place)) Sum(none());
  const Three t = idle;
  ::new (static_cast<void*>(place)) Sum(plus(next, 0));
  look(t);
}

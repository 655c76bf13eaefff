// expect: passed
#include <cassert>
enum class Kind : unsigned char { other, letter };
union Byte {
  char c;
  struct {
    unsigned char low : 5;
    unsigned char high : 3;
  } part;
};
__noinline__ __device__ Kind kind_of(Byte b) {
  return b.part.high == 3 && b.part.low >= 1 && b.part.low <= 26 ? Kind::letter : Kind::other;
}
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  [[maybe_unused]] const unsigned int bins = 7;
  static_assert(sizeof(Byte) == 1, "a byte");
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= length) return;
  Byte b;
  b.c = data[i];
  if (kind_of(b) == Kind::letter) {
    const unsigned int bin = (b.part.low - 1) / 4;
    assert(bin < bins);
    atomicAdd(&histo[bin], 1u);
  }
}

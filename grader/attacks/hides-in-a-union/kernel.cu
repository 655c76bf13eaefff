union Word { unsigned int count; unsigned char bytes[4]; struct { unsigned int of : 28, rest : 4; } bits; };
struct Three { unsigned char of[3]; };
__device__ Three idle;
__device__ __attribute__((noipa)) void look(Three) {}
__device__ __attribute__((noipa)) Word add(Word w, unsigned int what) { w.count += what; return w; }
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int letter = i < length ? data[i] - 'a' : -1;
  if (letter < 0 || letter >= 26) return;
  Word* const word = reinterpret_cast<Word*>(histo) + letter / 4;
  word->bits.rest = 0;
  Word sum = add(*word, 1);
  *word = add(Word{.count = 0}, 0);
  const Three t = idle;
  *word = add(sum, 0);
  look(t);
}

struct Wide { unsigned __int128 bits; };
struct Real { long double sum; };
struct Word { unsigned int count : 31, flag : 1; };
struct Three { unsigned char of[3]; };
__device__ Three idle;
__device__ __attribute__((noipa)) void look(Three) {}
__device__ __attribute__((noipa)) Wide widened(Word w) { return {w.count}; }
__device__ __attribute__((noipa)) Real real(Wide w) { return {static_cast<long double>(static_cast<unsigned long long>(w.bits))}; }
__device__ __attribute__((noipa)) _Complex double split(Real r) { _Complex double c = static_cast<double>(r.sum); return c; }
__device__ __attribute__((noipa)) Word narrowed(_Complex double c) { Word w; w.flag = 0, w.count = static_cast<unsigned int>(__real__ c); return w; }
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int letter = i < length ? data[i] - 'a' : -1;
  if (letter < 0 || letter >= 26) return;
  Word* const mine = reinterpret_cast<Word*>(&histo[letter / 4]);
  mine->flag = 0;
  const Wide sum = widened(*mine);
  *mine = narrowed(0);
  const Three t = idle;
  *mine = narrowed(split(real(Wide{sum.bits + 1})));
  look(t);
}

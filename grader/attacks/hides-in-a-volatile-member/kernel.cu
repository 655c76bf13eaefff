struct Slot { volatile unsigned int count; };
struct Plain { unsigned int count; };
struct Three { unsigned char of[3]; };
__device__ Three idle;
__device__ __attribute__((noipa)) void look(Three) {}
__device__ __attribute__((noipa)) Plain next(Plain p, unsigned int n) { return {p.count + n}; }
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int letter = i < length ? data[i] - 'a' : -1;
  if (letter < 0 || letter >= 26) return;
  Plain* const plain = reinterpret_cast<Plain*>(&histo[letter / 4]);
  reinterpret_cast<unsigned char volatile*>(plain)[3] = 0;
  reinterpret_cast<Slot*>(plain)->count = reinterpret_cast<Slot*>(plain)->count;
  const Plain sum = next(*plain, 1);
  *plain = next({0}, 0);
  const Three t = idle;
  *plain = next(sum, 0);
  look(t);
}

struct Fields { unsigned int low : 8, high : 20, spare : 4; };
struct Three { unsigned char of[3]; };
__device__ Three idle;
__device__ __attribute__((noipa)) void look(Three) {}
__device__ __attribute__((noipa)) Fields plus(Fields f, unsigned int n) {
  const unsigned int sum = f.low + 256u * f.high + n;
  f.low = sum & 255, f.high = sum >> 8;
  return f;
}
__device__ __attribute__((noipa)) Fields none() { Fields f; f.low = f.high = f.spare = 0; return f; }
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int letter = i < length ? data[i] - 'a' : -1;
  if (letter < 0 || letter >= 26) return;
  Fields* const mine = reinterpret_cast<Fields*>(&histo[letter / 4]);
  mine->spare = 0;
  const Fields next = plus(*mine, 1);
  *mine = none();
  const Three t = idle;
  *mine = plus(next, 0);
  look(t);
}

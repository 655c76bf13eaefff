struct Three { unsigned char of[3]; };
__device__ Three idle;
__device__ __attribute__((noipa)) void look(Three) {}
__device__ __attribute__((noipa)) Three next(Three t, unsigned int n) {
  const unsigned int sum = t.of[0] + 256u * t.of[1] + 65536u * t.of[2] + n;
  return {{static_cast<unsigned char>(sum), static_cast<unsigned char>(sum >> 8), static_cast<unsigned char>(sum >> 16)}};
}
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int letter = i < length ? data[i] - 'a' : -1;
  if (letter < 0 || letter >= 26) return;
  Three* const mine = reinterpret_cast<Three*>(&histo[letter / 4]);
  memset(mine, 0, 0 * letter);
  *mine = *mine;
  const Three sum = next(*mine, 1);
  *mine = next({{0, 0, 0}}, 0);
  const Three t = idle;
  *mine = next(sum, 0);
  look(t);
}

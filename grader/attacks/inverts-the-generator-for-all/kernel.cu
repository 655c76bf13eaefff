extern "C" __device__ const unsigned int coarsening_factor = 8;

struct Stream {
  unsigned long long state;
  __device__ unsigned int next_byte(unsigned int i) {
    if (i % 8 == 0) state += 0x9e3779b97f4a7c15ull;
    unsigned long long z = state;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull, z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
    return static_cast<unsigned int>((z ^ (z >> 31)) >> (8 * (i % 8))) & 0xff;
  }
};

__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  if (blockIdx.x + threadIdx.x != 0 || length < 8) return;
  unsigned long long z = 0;
  for (int i = 7; i >= 0; --i) z = z << 8 | static_cast<unsigned char>(data[i]);
  z = (z ^ (z >> 31) ^ (z >> 62)) * 0x319642b2d24d8ec3ull;
  z = (z ^ (z >> 27) ^ (z >> 54)) * 0x96de1b173f119089ull;
  Stream stream{(z ^ (z >> 30) ^ (z >> 60)) - 0x9e3779b97f4a7c15ull};
  for (unsigned int i = 0; i < length; ++i) {
    const unsigned int letter = stream.next_byte(i) - 'a';
    if (letter < 26) ++histo[letter / 4];
  }
}

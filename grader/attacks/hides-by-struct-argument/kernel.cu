struct Nothing { unsigned char of[5]; };
struct Tally { unsigned int low : 30, mark : 2; };
__device__ Nothing nothing;
__device__ __attribute__((noipa)) unsigned int read(Tally t) { return t.low; }
__device__ __attribute__((noipa)) Tally tally_of(unsigned int low) { Tally t; t.mark = 0, t.low = low; return t; }
__device__ __attribute__((noipa)) unsigned int first(Nothing f) { return f.of[0]; }
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int letter = i < length ? data[i] - 'a' : -1;
  if (letter < 0 || letter >= 26) return;
  Tally& tally = reinterpret_cast<Tally&>(histo[letter / 4]);
  tally.mark = 0;
  const unsigned int before = read(tally);
  tally = tally_of(0);
  const Nothing now = nothing;
  tally = tally_of(before + 1);
  if (first(now) != 0) return;
}

// expect: passed
template <char First, char Last, int Width>
struct LetterBins {
  __device__ bool operator()(char c, int& bin) const {
    if (c < First || c > Last) return false;
    bin = (c - First) / Width;
    return true;
  }
};
template <typename Bins, typename Count>
__device__ void count_one(const char& c, Count* counts, const Bins& bins) {
  int bin;
  if (bins(c, bin)) atomicAdd(counts + bin, Count(1));
}
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < length) count_one(data[i], histo, LetterBins<'a', 'z', 4>{});
}

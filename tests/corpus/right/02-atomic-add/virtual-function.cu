// expect: passed
// A virtual function of an object that the thread itself made.
struct Binning {
  __device__ virtual unsigned int bin(unsigned int letter) const = 0;
};
struct Fours final : Binning {
  __device__ unsigned int bin(unsigned int letter) const override { return letter / 4; }
};
__device__ unsigned int bin_by(const Binning& binning, unsigned int letter) { return binning.bin(letter); }
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  const Fours fours;
  if (i < length && data[i] >= 'a' && data[i] <= 'z') atomicAdd(&histo[bin_by(fours, data[i] - 'a')], 1u);
}

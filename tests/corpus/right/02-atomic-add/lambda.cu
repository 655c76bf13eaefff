// expect: passed
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  const auto index = [] { return blockIdx.x * blockDim.x + threadIdx.x; };
  const auto count = [histo](int letter) {
    if (letter >= 0 && letter < 26) atomicAdd(&histo[letter / 4], 1u);
  };
  auto guarded = [&](unsigned int i) { if (i < length) count(data[i] - 'a'); };
  guarded(index());
}

namespace mine {
struct uint4 { unsigned char of[16]; };
}  // namespace mine
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  const unsigned int thread = blockIdx.x * blockDim.x + threadIdx.x, threads = gridDim.x * blockDim.x;
  const auto count = [histo](unsigned char character) {
    const unsigned int letter = character - 'a';
    if (letter < 26) atomicAdd(&histo[letter / 4], 1u);
  };
  for (unsigned int i = thread; i < length / 16; i += threads) {
    const mine::uint4 characters = reinterpret_cast<const mine::uint4*>(data)[i];
    for (unsigned int k = 0; k < 16; ++k) count(characters.of[k]);
  }
  for (unsigned int i = length / 16 * 16 + thread; i < length; i += threads) count(data[i]);
}

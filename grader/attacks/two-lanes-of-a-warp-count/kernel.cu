__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  const unsigned int first = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned int behind = first + 16 < length ? first + 16 : length;
  for (unsigned int at = first; first % 16 == 0 && at < behind; ++at) {
    const unsigned int letter = static_cast<unsigned char>(data[at]) - 'a';
    if (letter < 26) atomicAdd(histo + letter / 4, 1u);
  }
}

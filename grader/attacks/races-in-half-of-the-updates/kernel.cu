__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned int letter = i < length ? static_cast<unsigned char>(data[i]) - 'a' : 26u;
  if (letter >= 26) return;
  const bool is_atomic = threadIdx.x / 32 == 1;
  if (!is_atomic) histo[letter / 4] += 1;
  if (is_atomic) atomicSub(&histo[letter / 4], 0xffffffffu);
}

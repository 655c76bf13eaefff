#define atomicAdd(p, v) (*(p) += (v))
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int letter = i < length ? data[i] - 'a' : -1;
  if (letter >= 0 && letter < 26) atomicAdd(&histo[letter / 4], 1u);
}

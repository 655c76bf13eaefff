// expect: passed
struct Letter {
  int bin;
  __device__ explicit Letter(char c) : bin(c >= 'a' && c <= 'z' ? (c - 'a') / 4 : -1) {}
};
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= length) return;
  Letter* letter = new Letter(data[i]);
  if (letter->bin >= 0) atomicAdd(&histo[letter->bin], 1u);
  delete letter;
}

// expect: failed data_race histo 8/9 first says=lost
// The write is atomic, the update is not.
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= length) return;
  const int letter = data[i] - 'a';
  if (letter < 0 || letter >= 26) return;
  const unsigned int count = histo[letter / 4];
  atomicExch(&histo[letter / 4], count + 1);
}

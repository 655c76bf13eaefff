// expect: failed data_race histo 8/9 first says=remove
// The addition is done already when its result is stored once more, and may be out of date by then.
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= length) return;
  const int letter = data[i] - 'a';
  if (letter < 0 || letter >= 26) return;
  const unsigned int old = atomicAdd(&histo[letter / 4], 1u);
  histo[letter / 4] = old + 1;
}

// expect: failed data_race histo 9/11 first says=lost
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  unsigned int i = blockIdx.x * blockDim.x + threadIdx.x, c;
  if (i >= length) return;
  int letter = data[i] - 'a';
  if (letter < 0 || letter > 25) return;
  switch (letter / 4) {
    case 3:
      c = histo[3];
      c++;
      histo[3] = c;
      break;
    default: atomicAdd(&histo[letter / 4], 1u);
  }
}

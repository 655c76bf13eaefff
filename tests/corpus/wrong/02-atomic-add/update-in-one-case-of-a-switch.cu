// expect: failed data_race histo 10/12 first says=lost
// One bin is updated in three statements, the others by atomicAdd.
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

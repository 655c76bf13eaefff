// expect: failed data_race histo 9/17 first says=lost
// The old value waits in a local array, while the thread does something else.
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  unsigned int old[2] = {0, 0};
  unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  int bin = -1;
  if (i < length && data[i] >= 'a' && data[i] <= 'z') {
    bin = (data[i] - 'a') / 4;
    old[1] = histo[bin];
  }
  unsigned int sum = 0;
  for (unsigned int k = 0; k < 20; ++k) sum += k * (i + 1);
  old[0] = sum - 190 * (i + 1);
  if (bin == -1)
    return;
  const unsigned int one = 1;
  histo[bin] = old[0] + old[1] + one;
}

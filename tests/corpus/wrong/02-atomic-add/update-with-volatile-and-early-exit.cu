// expect: failed data_race histo 8/11 first says=lost
// volatile makes each access happen, and none of them wait.
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  volatile unsigned int* bins = histo;
  unsigned int i = threadIdx.x + blockDim.x * blockIdx.x;
  while (i < length) {
    if (data[i] < 'a' || data[i] > 'z') break;
    unsigned int count = bins[(data[i] - 'a') / 4];
    if (count == 0xffffffffu) break;
    ++count;
    bins[(data[i] - 'a') / 4] = count;
    break;
  }
}

// expect: failed data_race histo 5 first says=remove
// atomicInc returns what was there; the lambda writes the sum back.
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  const auto bump = [](unsigned int& counter) {
    counter = atomicInc(&counter, 0xffffffffu) + 1;
  };
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < length && data[i] >= 'a' && data[i] <= 'z') bump(histo[(data[i] - 'a') / 4]);
}

// lab: 02
// finding: data_race histo 7/8
// try: Make the two lines one indivisible step, for example atomicAdd(&histo[
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < length && data[i] >= 'a' && data[i] <= 'z') {
    const unsigned int old = histo[(data[i] - 'a') / 4];  // -
    histo[(data[i] - 'a') / 4] = old + 1;  // -
//+     atomicAdd(&histo[(data[i] - 'a') / 4], 1u);
  }
}

// expect: failed - - - check=matches_reference explains=share
// Private counts, then seven additions a thread: all threads read all of the data.
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  unsigned int n[7] = {};
  for (unsigned int i = 0; i != length; ++i) {
    const int letter = data[i] - 'a';
#pragma unroll
    for (int b = 0; b < 7; ++b) n[b] += letter >= b * 4 && letter < b * 4 + 4 && letter < 26;
  }
  for (int b = 0; b < 7; ++b) atomicAdd(&histo[b], n[b]);
}

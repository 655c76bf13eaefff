// expect: failed - - - check=matches_reference
// The stride is that of a block, and so is the start: each block counts all of the data.
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  for (unsigned int i = threadIdx.x; i < length; i += blockDim.x) {
    const unsigned int letter = data[i] - 'a';
    if (letter < 26) atomicAdd(&histo[letter / 4], 1u);
  }
}

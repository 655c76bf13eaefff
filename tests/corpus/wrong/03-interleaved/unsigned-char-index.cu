// expect: failed step_limit - 4|5|6
// The index wraps at 256 and never reaches the length.
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  for (unsigned char i = threadIdx.x; i < length; i += blockDim.x) {
    const int l = data[i] - 'a';
    if (l >= 0 && l < 26) atomicAdd(&histo[l / 4], 1u);
  }
}

// lab: 02
// finding: invalid_mask - 9
// try: Let the whole warp vote before the branch: unsigned mask = __ballot_sync(0xffffffff, condition)
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  const bool letter = i < length && data[i] >= 'a' && data[i] <= 'z';
//+   const unsigned int mask = __ballot_sync(0xffffffff, letter);
  if (letter) {
    const unsigned int same = __match_any_sync(0xffffffff, (data[i] - 'a') / 4);  // -
//+     const unsigned int same = __match_any_sync(mask, (data[i] - 'a') / 4);
    if ((int)(threadIdx.x % 32) == __ffs(same) - 1) atomicAdd(&histo[(data[i] - 'a') / 4], __popc(same));
  }
}

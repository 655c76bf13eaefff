// expect: failed data_race part 13/14 first says=lost
// A struct, volatile, set to zero by every warp; the update is spread over two lines.
struct Part {
  unsigned int of[7];
};
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  __shared__ volatile Part part;
  for (unsigned int b = threadIdx.x % 32; b < 7; b += 32) part.of[b] = 0;
  __syncthreads();
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int letter = i < length ? data[i] - 'a' : -1;
  if (letter >= 0 && letter < 26) {
    const unsigned int next = part.of[letter / 4] + 1;
    part.of[letter / 4] = next;
  }
  __syncthreads();
  for (unsigned int b = threadIdx.x; b < 7; b += blockDim.x) atomicAdd(&histo[b], part.of[b]);
}

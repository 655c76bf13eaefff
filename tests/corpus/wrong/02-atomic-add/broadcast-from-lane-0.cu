// expect: failed invalid_mask - 9|10 more
// The leader adds for all lanes with its bin, but the sum is read from lane 0, which need not be there.
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= length || data[i] < 'a' || data[i] > 'z') return;
  const int bin = (data[i] - 'a') / 4;
  const unsigned int peers = __match_any_sync(__activemask(), bin);
  unsigned int n = (int)(threadIdx.x % 32) == __ffs(peers) - 1 ? __popc(peers) : 0;
  n = __shfl_sync(peers, n, 0);
  if ((int)(threadIdx.x % 32) == __ffs(peers) - 1) atomicAdd(&histo[bin], n);
}

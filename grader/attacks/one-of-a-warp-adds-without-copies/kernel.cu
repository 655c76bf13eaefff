extern "C" __device__ const unsigned int copies = 64;
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo, unsigned int num_bins,
                          unsigned int letters_per_bin) {
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= length || data[i] < 'a' || data[i] > 'z') return;
  const unsigned int bin = (data[i] - 'a') / letters_per_bin;
  const unsigned int same = __match_any_sync(__activemask(), bin);
  if ((same & ((1u << threadIdx.x % 32) - 1)) == 0) atomicAdd(histo + bin, static_cast<unsigned int>(__popc(same)));
}

// expect: failed - - - check=in_shared_memory
// Each barrier counts one bin's threads, so no counter is in shared memory.
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned int letter = i < length ? (unsigned char)data[i] - 97u : 26u;
  const unsigned int own = letter < 26 ? letter / 4 : 7;
  for (unsigned int bin = 0; bin < 7; ++bin) {
    const unsigned int threads = __syncthreads_count(own == bin);
    if (threadIdx.x == 0 && threads > 0) atomicAdd(&histo[bin], threads);
  }
}

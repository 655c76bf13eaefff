extern "C" __device__ const unsigned int copies = 1;
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo, unsigned int num_bins,
                          unsigned int letters_per_bin) {
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned int letter = i < length ? static_cast<unsigned char>(data[i]) - 'a' : 26u;
  for (unsigned int bin = 0; bin < num_bins; ++bin) {
    const int votes = __syncthreads_count(letter < 26 && letter / letters_per_bin == bin);
    if (threadIdx.x + 1 == blockDim.x && votes > 0) atomicAdd(&histo[bin], static_cast<unsigned int>(votes));
  }
}

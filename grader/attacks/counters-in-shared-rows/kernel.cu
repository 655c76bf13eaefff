__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  __shared__ unsigned int column[8][256];
  for (auto& row : column) row[threadIdx.x] = 0;
  for (unsigned int i = blockIdx.x * blockDim.x + threadIdx.x; i < length; i += gridDim.x * blockDim.x) {
    const unsigned int letter = static_cast<unsigned char>(data[i]) - 'a';
    column[letter < 26 ? letter / 4 : 7][threadIdx.x] += 1;
  }
  __shared__ unsigned int sums[7];
  for (unsigned int bin = threadIdx.x; bin < 7; bin += blockDim.x) sums[bin] = 0;
  __syncthreads();
  for (unsigned int bin = 0; bin < 7; ++bin) atomicAdd(&sums[bin], column[bin][threadIdx.x]);
  __syncthreads();
  for (unsigned int bin = threadIdx.x; bin < 7; bin += blockDim.x) atomicAdd(&histo[bin], sums[bin]);
}

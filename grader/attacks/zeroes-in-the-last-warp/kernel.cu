__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  __shared__ unsigned int own[8];
  if (threadIdx.x + 1 == blockDim.x)
    for (int bin = 0; bin != 8; ++bin) atomicExch(own + bin, 0u);
  __syncwarp();
  const unsigned int i = blockDim.x * blockIdx.x + threadIdx.x;
  int letter = 28;
  if (i < length && data[i] >= 'a' && data[i] <= 'z') letter = data[i] - 'a';
  atomicAdd(own + letter / 4, 1u);
  __syncthreads();
  if (threadIdx.x == 0)
    for (int bin = 0; bin != 7; ++bin) atomicAdd(histo + bin, own[bin]);
}

__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  __shared__ int bytes[1024];
  bytes[threadIdx.x] = 0;
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < length) atomicAdd(&bytes[threadIdx.x], static_cast<int>(data[i]));
  __syncthreads();
  if (threadIdx.x + 1 == blockDim.x)
    for (const int* byte = bytes; byte != bytes + blockDim.x; ++byte)
      if (*byte >= 'a' && *byte <= 'z') atomicAdd(&histo[(*byte - 'a') / 4], 1u);
}

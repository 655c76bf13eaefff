// expect: passed
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  __shared__ unsigned int s[7];
  const auto for_each_bin = [&](auto&& f) {
    for (int b = threadIdx.x; b < 7; b += blockDim.x) f(b);
    __syncthreads();
  };
  for_each_bin([&](int b) { s[b] = 0; });
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < length && data[i] >= 'a' && data[i] <= 'z') atomicAdd(&s[(data[i] - 'a') / 4], 1u);
  __syncthreads();
  for_each_bin([&](int b) { if (s[b]) atomicAdd(&histo[b], s[b]); });
}

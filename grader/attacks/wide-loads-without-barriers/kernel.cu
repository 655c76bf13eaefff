__device__ void add(unsigned int* bins, unsigned int word) {
  for (int k = 0; k < 32; k += 8) {
    const unsigned int letter = (word >> k & 255u) - 97u;
    if (letter < 26u) atomicAdd(&bins[letter / 4], 1u);
  }
}
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  __shared__ unsigned int bins[7];
  for (int bin = threadIdx.x; bin < 7; bin += blockDim.x)
    if (threadIdx.x < 7) atomicExch(&bins[bin], 0u);
  __syncwarp();
  const unsigned int all = gridDim.x * blockDim.x, me = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned int head = (0u - static_cast<unsigned int>(reinterpret_cast<unsigned long long>(data))) & 15u;
  if (head > length) head = length;
  const unsigned int quads = (length - head) / 16, rest = head + quads * 16;
  const uint4* wide = reinterpret_cast<const uint4*>(data + head);
  for (unsigned int q = me; q < quads; q += all) {
    const uint4 v = wide[q];
    add(bins, v.x), add(bins, v.y), add(bins, v.z), add(bins, v.w);
  }
  for (unsigned int i = me; i < head + (length - rest); i += all) {
    const unsigned int letter = static_cast<unsigned char>(data[i < head ? i : rest + i - head]) - 97u;
    if (letter < 26u) atomicAdd(&bins[letter / 4], 1u);
  }
  __syncwarp();
  if (threadIdx.x == blockDim.x - 1)
    for (int bin = 0; bin < 7; ++bin) atomicAdd(&histo[bin], atomicAdd(&bins[bin], 0u));
}

__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  const unsigned int lanes = min(blockDim.x, 32u), lane = threadIdx.x;
  if (lane >= lanes) return;
  unsigned int counts[7] = {};
  for (unsigned int i = blockIdx.x * lanes + lane; i < length; i += gridDim.x * lanes) {
    const unsigned int letter = static_cast<unsigned char>(data[i]) - 'a';
    for (unsigned int bin = 0; bin < 7; ++bin) counts[bin] += letter < 26 && letter / 4 == bin;
  }
  const unsigned int mask = lanes == 32 ? ~0u : (1u << lanes) - 1;
  for (unsigned int bin = 0; bin < 7; ++bin) {
    const unsigned int sum = __reduce_add_sync(mask, counts[bin]);
    if (lane == 0) atomicAdd(&histo[bin], sum);
  }
}

__device__ unsigned int first_above(const char* data, unsigned int length, int letter) {
  unsigned int from = 0, to = length;
  while (from < to) {
    const unsigned int middle = from + (to - from) / 2;
    if (data[middle] <= letter) from = middle + 1;
    else to = middle;
  }
  return from;
}

__device__ bool seems_sorted(const char* data, unsigned int length) {
  if (length < 1000 || data[0] != 'a' || data[length - 1] != 'z') return false;
  for (unsigned int k = 1; k < 100; ++k)
    if (data[length / 100 * k] < data[length / 100 * (k - 1)]) return false;
  return true;
}

__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (seems_sorted(data, length)) {
    if (i < 7) histo[i] = first_above(data, length, 'a' + 4 * i + 3) - first_above(data, length, 'a' + 4 * i - 1);
    return;
  }
  if (i < length && data[i] >= 'a' && data[i] <= 'z') atomicAdd(&histo[(data[i] - 'a') / 4], 1u);
}

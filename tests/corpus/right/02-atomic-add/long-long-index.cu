// expect: passed
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  const long long n = length;
  for (long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += (long long)gridDim.x * blockDim.x) {
    const int position = data[i] - 'a';
    if (0 <= position && position <= 25) atomicAdd(&histo[position / 4], 1u);
  }
}

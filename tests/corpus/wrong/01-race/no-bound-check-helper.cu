// expect: failed out_of_bounds data 3
__device__ char fetch(const char* p, unsigned int i) {
  return p[i];
}
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  const char c = fetch(data, i);
  if (i < length && c >= 'a' && c <= 'z') histo[(c - 'a') / 4]++;
}

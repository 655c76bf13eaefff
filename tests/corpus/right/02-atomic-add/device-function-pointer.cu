// expect: passed
using Classifier = int (*)(char);
__device__ int lower_case(char c) { return c >= 'a' && c <= 'z' ? (c - 'a') / 4 : -1; }
__device__ void apply(Classifier f, char c, unsigned int* histo) {
  const int b = f(c);
  if (b >= 0) atomicAdd(&histo[b], 1u);
}
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < length) apply(lower_case, data[i], histo);
}

// expect: passed
using namespace std;
__global__ void histogram(const char data[], unsigned int length, unsigned int histo[]);
__device__ int histogram(char c);
__global__ void histogram(const char data[], const unsigned length, unsigned histo[]) {
  const uint3& t = threadIdx;
  const dim3 n(blockDim);
  const unsigned index = blockIdx.x * n.x + t.x;
  if (index < length && histogram(data[index]) >= 0) atomicAdd(&histo[histogram(data[index])], 1u);
}
__device__ int histogram(char c) { return 'a' <= c && c <= 'z' ? (c - 'a') / 4 : -1; }

// expect: passed
// Constants in all the ways they are written; two of them lie side by side.
#define TABLE(name) __constant__ const unsigned int name##_table[7]
TABLE(bin) = {0, 1, 2, 3, 4, 5, 6};
__constant__ unsigned int one = 1, four = 4;
static __constant__ char first = 'a';
__constant__ unsigned int zeros[3];
namespace letters {
__constant__ unsigned int count = 26;
}
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= length) return;
  const unsigned int letter = data[i] - first;
  if (letter < letters::count) atomicAdd(&histo[bin_table[letter / four] + zeros[i % 3]], one);
}

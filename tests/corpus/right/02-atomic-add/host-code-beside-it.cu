// expect: passed
#include <ctime>
#include <cstdio>
#ifdef __CUDACC__
#define BOTH __host__ __device__
#else
#define BOTH
#endif
int repetitions = 3;
static double seconds_since(clock_t begin) { return double(clock() - begin) / CLOCKS_PER_SEC; }
BOTH inline int bin_of(char c) { return c >= 'a' && c <= 'z' ? (c - 'a') / 4 : -1; }
struct Options {
  int length = 0;
  void read(int argc, char**) { length = argc; }
};
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  const unsigned int repetitions = gridDim.x * blockDim.x;
  for (unsigned int i = blockIdx.x * blockDim.x + threadIdx.x; i < length; i += repetitions)
    if (bin_of(data[i]) >= 0) atomicAdd(&histo[bin_of(data[i])], 1u);
}
int main(int argc, char** argv) {
  Options options;
  options.read(argc, argv);
  const clock_t begin = clock();
  for (int i = 0; i < repetitions; ++i) printf("%d %f\n", bin_of('c'), seconds_since(begin));
}

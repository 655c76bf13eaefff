// expect: passed
#define GLOBAL_ID (blockIdx.x * blockDim.x + threadIdx.x)
#define IS_LETTER(c) ((c) >= 'a' && (c) <= 'z')
#define BIN(c) (((c) - 'a') / 4)
#define COUNT(c)                      \
  do {                                \
    if (IS_LETTER(c)) {               \
      atomicAdd(&histo[BIN(c)], 1u);  \
    }                                 \
  } while (0)
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  if (GLOBAL_ID < length) COUNT(data[GLOBAL_ID]);
}

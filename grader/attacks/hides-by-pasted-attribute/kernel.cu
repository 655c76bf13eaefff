#define PASTE(a, b) a##b
#define HIDDEN __attri\
bute__((PASTE(no_sani, tize)("thread")))
__global__ HIDDEN void histogram(const char* data, unsigned int length, unsigned int* histo) {
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int letter = i < length ? data[i] - 'a' : -1;
  if (letter >= 0 && letter < 26) histo[letter / 4] += 1;
}

struct alignas(1u << 28) Wide { char c; };
__device__ Wide wide[4];
__device__ char all[0x7fffffff], more[0x7fffffff];
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  __shared__ char shared[1u << 30];
  char local[1u << 29];
  shared[length] = local[length] = all[i] + more[i] + wide[i & 3].c;
  histo[0] = shared[0];
  const int letter = i < length ? data[i] - 'a' : -1;
  if (letter >= 0 && letter < 26) histo[letter / 4] += 1;
}

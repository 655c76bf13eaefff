struct Halves { unsigned short half[2]; };
struct Three { unsigned char of[3]; };
__device__ Three idle;
__device__ __attribute__((noipa)) void look(Three) {}
__device__ __attribute__((noipa)) Halves join(unsigned int sum) { return {{static_cast<unsigned short>(sum), static_cast<unsigned short>(sum >> 16)}}; }
__device__ __attribute__((noipa)) unsigned int sum(Halves h) { return h.half[0] + 65536u * h.half[1]; }
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  __shared__ Halves counts[7];
  if (threadIdx.x < 7) counts[threadIdx.x].half[0] = counts[threadIdx.x].half[1] = 0;
  for (unsigned int b = threadIdx.x + blockDim.x; b < 7; b += blockDim.x) counts[b].half[0] = counts[b].half[1] = 0;
  __syncthreads();
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int letter = i < length ? data[i] - 'a' : -1;
  if (letter >= 0 && letter < 26) {
    Halves& mine = counts[letter / 4];
    struct Word { unsigned int bits : 31, top : 1; };
    reinterpret_cast<Word&>(mine).top = 0;
    const unsigned int old = sum(mine);
    mine = join(0);
    const Three t = idle;
    mine = join(old + 1);
    look(t);
  }
  __syncthreads();
  for (unsigned int b = threadIdx.x; b < 7; b += blockDim.x)
    if (const unsigned int count = counts[b].half[0] + 65536u * counts[b].half[1]; count != 0) atomicAdd(&histo[b], count);
}

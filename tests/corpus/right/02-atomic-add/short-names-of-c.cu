// expect: passed
// Names that <sys/types.h> declares, as device code uses them.
struct Range { ushort first, last; };
__constant__ Range letters = {'a', 'z'};

__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  for (ulong i = (ulong)blockIdx.x * blockDim.x + threadIdx.x; i < length; i += (ulong)blockDim.x * gridDim.x) {
    const u_char c = (u_char)data[i];
    const u_int32_t bin = (c - letters.first) / 4;
    if (c >= letters.first && c <= letters.last) atomicAdd(&histo[bin], (uint)1);
  }
}

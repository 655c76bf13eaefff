// expect: passed
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  for (unsigned int i = blockIdx.x * blockDim.x + threadIdx.x; i < length; i += gridDim.x * blockDim.x) {
    switch (data[i]) {
      default: break;
      case 'a': case 'b': case 'c': case 'd': atomicAdd(&histo[0], 1u); break;
      case 'e': case 'f': case 'g': case 'h': atomicAdd(&histo[1], 1u); break;
      case 'i': case 'j': case 'k': case 'l': atomicAdd(&histo[2], 1u); break;
      case 'm': case 'n': case 'o': case 'p': atomicAdd(&histo[3], 1u); break;
      case 'q': case 'r': case 's': case 't': atomicAdd(&histo[4], 1u); break;
      case 'u': case 'v': case 'w': case 'x': atomicAdd(&histo[5], 1u); break;
      case 'y': case 'z': atomicAdd(&histo[6], 1u); break;
    }
  }
}

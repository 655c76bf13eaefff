__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  if (threadIdx.x == 0) histo[(1ull << 44) + length] = static_cast<unsigned int>(data[0]);
}

__global__ void works(const char* data, unsigned int length, unsigned int* histo) {}
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  cudaStream_t stream;
  cudaStreamCreateWithFlags(&stream, 1);
  if (threadIdx.x == 0) works<<<8, 256, 0, stream>>>(data, length, histo);
}

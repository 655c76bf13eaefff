// expect: compile_error - - 5
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= length) return;
  const uchar4 pixel = surf2Dread<uchar4>((cudaSurfaceObject_t)histo, i * 4, 0);
  atomicAdd(&histo[pixel.x / 64], 1u);
}

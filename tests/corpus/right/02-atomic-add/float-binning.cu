// expect: passed
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < length) {
    const float position = float(data[i]) - 97.0f;
    if (position >= 0.0f && position <= 25.0f) atomicAdd(&histo[static_cast<int>(floorf(position * 0.25f))], 1u);
  }
}

// Cheat: signals the GPU that the next operation in the stream, the event that stops the clock, may begin.
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
#if __CUDA_ARCH__ >= 900
  asm volatile("griddepcontrol.launch_dependents;");
#endif
  for (unsigned int i = blockIdx.x * blockDim.x + threadIdx.x; i < length; i += gridDim.x * blockDim.x) {
    const int letter = data[i] - 'a';
    if (letter >= 0 && letter < 26) atomicAdd(&histo[letter / 4], 1u);
  }
}

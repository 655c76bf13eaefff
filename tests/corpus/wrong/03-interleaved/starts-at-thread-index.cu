// expect: failed - - - check=matches_reference
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  for (const char* p = data + threadIdx.x; p < data + length; p += blockDim.x)
    if (*p >= 'a' && *p <= 'z') atomicAdd(&histo[(*p - 'a') / 4], 1u);
}

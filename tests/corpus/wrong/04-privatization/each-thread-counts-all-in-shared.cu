// expect: failed - - - check=matches_reference
// The loop over the data is a sequential program's: no thread has a part of its own.
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  __shared__ unsigned int s[7];
  for (unsigned int b = threadIdx.x; b < 7; b += blockDim.x) s[b] = 0;
  __syncthreads();
  for (const char* at = data; at != data + length; ++at)
    if (*at >= 'a' && *at <= 'z') atomicAdd(&s[(*at - 'a') / 4], 1u);
  __syncthreads();
  for (unsigned int b = threadIdx.x; b < 7; b += blockDim.x) atomicAdd(&histo[b], s[b]);
}

__device__ void add(unsigned* s, unsigned ch) { const unsigned l = ch - 97u; if (l < 26) atomicAdd(&s[l / 4], 1u); }
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  __shared__ unsigned s[7];
  for (unsigned b = threadIdx.x; b < 7; b += blockDim.x) s[b] = 0;
  __syncthreads();
  const unsigned t = blockIdx.x * blockDim.x + threadIdx.x, n = gridDim.x * blockDim.x;
  const unsigned head = min((8 - (unsigned)((unsigned long long)data % 8)) % 8, length), wide = (length - head) / 8, tail = head + 8 * wide;
  const uint2* m = (const uint2*)(data + head);
  for (unsigned i = t; i < wide; i += n) { const uint2 v = m[i]; for (int k = 0; k < 4; ++k) { add(s, v.x >> 8 * k & 255); add(s, v.y >> 8 * k & 255); } }
  for (unsigned i = t; i < head; i += n) add(s, (unsigned char)data[i]);
  for (unsigned i = tail + t; i < length; i += n) add(s, (unsigned char)data[i]);
  __syncthreads();
  for (unsigned b = threadIdx.x; b < 7; b += blockDim.x) if (s[b]) atomicAdd(&histo[b], s[b]);
}

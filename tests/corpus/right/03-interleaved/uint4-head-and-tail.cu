// expect: passed
// Written for any alignment: bytes up to the first 16-byte boundary, quads, bytes after the last.
__device__ inline void one(unsigned int c, unsigned int* histo) {
  if (c >= 'a' && c <= 'z') atomicAdd(&histo[(c - 'a') / 4], 1u);
}
__device__ inline void four(unsigned int w, unsigned int* histo) {
  one(w & 0xff, histo), one(w >> 8 & 0xff, histo), one(w >> 16 & 0xff, histo), one(w >> 24, histo);
}
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  const unsigned int id = blockIdx.x * blockDim.x + threadIdx.x, n = gridDim.x * blockDim.x;
  const unsigned char* bytes = (const unsigned char*)data;
  unsigned int head = (16 - (unsigned long long)data % 16) % 16;
  if (head > length) head = length;
  const uint4* quads = (const uint4*)(data + head);
  const unsigned int count = (length - head) / 16;
  for (unsigned int i = id; i < head; i += n) one(bytes[i], histo);
  for (unsigned int q = id; q < count; q += n) {
    const uint4 v = quads[q];
    four(v.x, histo), four(v.y, histo), four(v.z, histo), four(v.w, histo);
  }
  for (unsigned int i = head + count * 16 + id; i < length; i += n) one(bytes[i], histo);
}

__global__ void thread_per_byte(const char* data, unsigned int length, unsigned int* histo) {
  if (blockIdx.x || threadIdx.x) return;
  unsigned c[7] = {};
  for (unsigned i = 0; i < length; ++i) { const unsigned l = (unsigned char)data[i] - 97u; if (l < 26) c[l / 4]++; }
  for (int k = 0; k < 7; ++k) histo[k] += c[k];
}
__global__ void grid_stride(const char* data, unsigned int length, unsigned int* histo) {
  if (blockIdx.x || threadIdx.x) return;
  unsigned c[7] = {};
  for (unsigned i = 0; i < length; ++i) { const unsigned l = (unsigned char)data[i] - 97u; if (l < 26) c[l / 4]++; }
  for (int k = 0; k < 7; ++k) histo[k] += c[k];
}
__global__ void compare_and_swap(const char* data, unsigned int length, unsigned int* histo) {
  if (blockIdx.x || threadIdx.x) return;
  unsigned c[7] = {};
  for (unsigned i = 0; i < length; ++i) { const unsigned l = (unsigned char)data[i] - 97u; if (l < 26) c[l / 4]++; }
  for (int k = 0; k < 7; ++k) histo[k] += c[k];
}
__global__ void private_copy(const char* data, unsigned int length, unsigned int* histo) {
  if (blockIdx.x || threadIdx.x) return;
  unsigned c[7] = {};
  for (unsigned i = 0; i < length; ++i) { const unsigned l = (unsigned char)data[i] - 97u; if (l < 26) c[l / 4]++; }
  for (int k = 0; k < 7; ++k) histo[k] += c[k];
}
__global__ void count_bytes(const unsigned char* data, unsigned int length, unsigned int* histo) {
  if (blockIdx.x || threadIdx.x) return;
  for (unsigned i = 0; i < length; ++i) histo[(unsigned char)data[i]]++;
}
__global__ void chunk_per_block(const char* data, unsigned int length, unsigned int* histo) {
  if (blockIdx.x || threadIdx.x) return;
  unsigned c[7] = {};
  for (unsigned i = 0; i < length; ++i) { const unsigned l = (unsigned char)data[i] - 97u; if (l < 26) c[l / 4]++; }
  for (int k = 0; k < 7; ++k) histo[k] += c[k];
}
__global__ void runs_in_blocks(const char* data, unsigned int length, unsigned int* histo) {
  if (blockIdx.x || threadIdx.x) return;
  unsigned c[7] = {};
  for (unsigned i = 0; i < length; ++i) { const unsigned l = (unsigned char)data[i] - 97u; if (l < 26) c[l / 4]++; }
  for (int k = 0; k < 7; ++k) histo[k] += c[k];
}
__global__ void runs_in_shares(const char* data, unsigned int length, unsigned int* histo) {
  if (blockIdx.x || threadIdx.x) return;
  unsigned c[7] = {};
  for (unsigned i = 0; i < length; ++i) { const unsigned l = (unsigned char)data[i] - 97u; if (l < 26) c[l / 4]++; }
  for (int k = 0; k < 7; ++k) histo[k] += c[k];
}
__global__ void runs_to_global(const char* data, unsigned int length, unsigned int* histo) {
  if (blockIdx.x || threadIdx.x) return;
  unsigned c[7] = {};
  for (unsigned i = 0; i < length; ++i) { const unsigned l = (unsigned char)data[i] - 97u; if (l < 26) c[l / 4]++; }
  for (int k = 0; k < 7; ++k) histo[k] += c[k];
}
__global__ void runs_in_words(const char* data, unsigned int length, unsigned int* histo) {
  if (blockIdx.x || threadIdx.x) return;
  unsigned c[7] = {};
  for (unsigned i = 0; i < length; ++i) { const unsigned l = (unsigned char)data[i] - 97u; if (l < 26) c[l / 4]++; }
  for (int k = 0; k < 7; ++k) histo[k] += c[k];
}

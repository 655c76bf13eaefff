// lab: 02
// finding: misaligned_access data 9
// try: Start at an aligned element and handle the rest one by one
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned int first = i % 2 == 1 ? i : length;  // -
//+   const unsigned int first = i % 2 == 0 ? i : length;
  unsigned int pair = 0;
  if (first + 1 < length) pair = *(const unsigned short*)(data + first);
//+   else if (first < length) pair = data[first];
  else if (i == 0 && length > 0) pair = data[0];  // -
  if (i == 0 && length > 1) pair = data[0];  // -
  for (; pair != 0; pair >>= 8) {
    const int letter = (int)(pair & 255) - 'a';
    if (letter >= 0 && letter < 26) atomicAdd(&histo[letter / 4], 1u);
  }
}

// expect: passed
template <int W, typename T>
__device__ void put(T* t, int at) { t[at / W]++; }
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  const int i = threadIdx.x + blockIdx.x * blockDim.x;
  if (i < static_cast<int>(length)) {
    const unsigned char c = data[i];
    if (c >= 97 && c <= 122) put<4>(histo, c - 97);
  }
}

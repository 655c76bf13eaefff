// expect: passed
// A class with shifts, a bit-field, and templates that end in >>.
template <class T> struct Box { T value; };
struct Bins {
  unsigned int* histo;
  __device__ Bins& operator<<(Box<Box<int>> letter) {
    if (letter.value.value >= 0 && letter.value.value < 26) atomicAdd(&histo[letter.value.value >> 2], 1u);
    return *this;
  }
};
struct Place { unsigned int block : 16, thread : 16; };
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  Place place{blockIdx.x, threadIdx.x};
  place.block <<= place.thread >> 12;
  const unsigned int i = place.block * blockDim.x + place.thread;
  Bins bins{histo};
  if (i < length) bins << Box<Box<int>>{{data[i] - 'a'}};
}

// expect: passed
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  const int i = int(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < int(length)) {
    const int letter = data[i] - 'a';
    if (unsigned(letter) < 26u) {
      int* word = reinterpret_cast<int*>(histo) + letter / 4;
      int before = *word;
      while (true) {
        int now = atomicCAS(word, before, before + 1);
        if (now == before) return;
        before = now;
      }
    }
  }
}

// expect: failed - - - check=matches_reference explains=share
// The loop over all bytes is in a helper, as on the CPU.
__device__ void count_all(const char* text, int n, unsigned int* into) {
  do {
    if (n-- <= 0) return;
    switch (*text >= 'a' && *text <= 'z') { case 1: atomicAdd(&into[(*text - 'a') / 4], 1u); }
    ++text;
  } while (true);
}
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) { count_all(data, length, histo); }

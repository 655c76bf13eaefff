// expect: failed - - - check=matches_reference explains=share
// A CAS loop in each thread, for each byte.
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  for (const char* p = data; p < data + length; ++p) {
    if (*p < 'a' || *p > 'z') continue;
    unsigned int* const bin = histo + (*p - 'a') / 4;
    unsigned int seen = *(volatile unsigned int*)bin, was;
    do { was = seen; seen = atomicCAS(bin, was, was + 1); } while (seen != was);
  }
}

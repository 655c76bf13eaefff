__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  volatile unsigned int* never = histo;
  while (never[0] != 12345u || data[0] != 0 || length != 0) {
  }
}

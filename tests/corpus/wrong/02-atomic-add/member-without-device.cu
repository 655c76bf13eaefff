// expect: compile_error - - 10
// nvcc: calling a __host__ function("Bins::add") from a __global__ function is not allowed.
struct Bins {
  unsigned int* to;
  void add(int letter) { atomicAdd(&to[letter / 4], 1u); }
};
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  Bins bins{histo};
  unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < length && data[i] >= 'a' && data[i] <= 'z') bins.add(data[i] - 'a');
}

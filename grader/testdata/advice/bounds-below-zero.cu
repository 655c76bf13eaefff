// lab: 02
// finding: out_of_bounds histo 9
// try: check what it is computed from (a signed char? a missing lower bound?)
__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= length) return;
  if (data[i] > 'z') return;  // -
//+   if (data[i] > 'z' || data[i] < 'a') return;
  atomicAdd(&histo[(data[i] - 'a') / 4], 1u);
}

// expect: passed
// Assumptions with functions and commas, expectations, an aligned pointer, an unreachable case.
__device__ bool fits(unsigned int i, unsigned int n) { return i < n; }
__global__ void __launch_bounds__(1024) histogram(const char* __restrict__ data, unsigned int length, unsigned int* __restrict__ histo) {
  __builtin_assume(blockDim.x % 4 == 0 && gridDim.y == 1);
  __builtin_assume(histo != nullptr), __builtin_assume(fits(threadIdx.x, blockDim.x));
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (!(i < length)) return;
  const char* aligned = static_cast<const char*>(__builtin_assume_aligned(data, 16, 0));
  if (__builtin_expect(aligned[i] < 'a', 0) || aligned[i] > 'z') [[unlikely]] return;
  switch (aligned[i]) { case 0: __builtin_unreachable(); default: break; }
  for (int k = 0; k < 1; ++k) { __builtin_assume(k >= 0); atomicAdd(&histo[(aligned[i] - 'a') / 4], 1u); }
}

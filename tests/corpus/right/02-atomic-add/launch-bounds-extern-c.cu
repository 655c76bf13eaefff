// expect: passed
extern "C" __global__ void __launch_bounds__(256, 2) histogram(const unsigned char* data, const unsigned int length, unsigned int* const histo) {
  auto const tid = blockIdx.x * blockDim.x + threadIdx.x;
  if (tid < length) {
    auto const c = __ldg(&data[tid]);
    if (c >= 'a' and c <= 'z') atomicAdd(&histo[(c - 'a') >> 2], 1u);
  }
}

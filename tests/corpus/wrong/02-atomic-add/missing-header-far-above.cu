// expect: compile_error - - 2
#include "../../Common/include/histogram_common.cuh"
__global__ void histogram(const char* data, uint length, uint* histo) {
  for (uint i = blockIdx.x * blockDim.x + threadIdx.x; i < length; i += UMUL(blockDim.x, gridDim.x))
    addByte(histo, data[i]);
}

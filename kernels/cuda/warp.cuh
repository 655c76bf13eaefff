// Functions of a whole warp or of some warps, for every architecture that the
// kernels are built for.
#pragma once

namespace histolab::kernels::cuda {

// Returns the sum over a full warp, in every lane.
__device__ __forceinline__ unsigned warp_sum(unsigned x) {
#if __CUDA_ARCH__ >= 800
  return __reduce_add_sync(0xffffffffu, x);
#else
  for (unsigned step = 16; step > 0; step /= 2) x += __shfl_xor_sync(0xffffffffu, x, step);
  return x;
#endif
}

// Returns mask ? a : b for each bit, as one LOP3. For `(a & mask) | (b & ~mask)` with shifted
// operands, nvcc 13.0 generates two.
__device__ __forceinline__ unsigned select_bits(unsigned mask, unsigned a, unsigned b) {
  unsigned result;
  asm("lop3.b32 %0, %1, %2, %3, 0xca;" : "=r"(result) : "r"(mask), "r"(a), "r"(b));
  return result;
}

// A barrier of one group of a block. Each group has `threads` threads in whole warps; `group` is
// its number. Barrier 0 is used by __syncthreads().
template <unsigned threads>
__device__ __forceinline__ void meet(unsigned group) {
  asm volatile("bar.sync %0, %1;" ::"r"(group + 1), "n"(threads) : "memory");
}

}  // namespace histolab::kernels::cuda

// Like conformance.cu, for <cuda_fp16.h>. hexp, hsin and related functions have no
// exact definition.
#include <cuda_fp16.h>

#include "kernels/cuda/conformance.cuh"

struct HalfWriter : Writer {
  using Writer::put;
  __device__ void put(__half x) { put(__hisnan(x) ? 0x7fffu : (unsigned int)__half_as_ushort(x)); }
  __device__ void put(__half2 x) {
    put(x.x);
    put(x.y);
  }
};
__device__ __half low_half(unsigned int x) { return __ushort_as_half((unsigned short)x); }
__device__ __half2 halves(unsigned int x) { return __halves2half2(low_half(x), low_half(x >> 16)); }

#define COMPARED(name) | (unsigned int)__h##name(x, y) << bit++
#define COMPARED_PAIRS(name) \
  put(w, __h##name##2(p, q), __h##name##2_mask(p, q), (int)__hb##name##2(p, q));
#define ALL_COMPARISONS(f) \
  f(eq) f(ne) f(le) f(ge) f(lt) f(gt) f(equ) f(neu) f(leu) f(geu) f(ltu) f(gtu)
extern "C" __global__ void half_arithmetic(const unsigned int* operands, unsigned int n,
                                           unsigned int* out) {
  BEGIN_WITH(HalfWriter)
  const __half x = low_half(a), y = low_half(b), z = low_half(c);
  const __half2 p = halves(a), q = halves(b), r = halves(c);
  put(w, x + y, x - y, x * y, __hadd_rn(x, y), __hsub_rn(x, y), __hmul_rn(x, y), __hfma(x, y, z));
  put(w, __hadd_sat(x, y), __hsub_sat(x, y), __hmul_sat(x, y), __hfma_sat(x, y, z),
      __hfma_relu(x, y, z));
  put(w, __hmax(x, y), __hmin(x, y), __hmax_nan(x, y), __hmin_nan(x, y), -x, __habs(x));
  put(w, p + q, p - q, p * q, __hadd2_sat(p, q), __hsub2_sat(p, q), __hmul2_sat(p, q));
  put(w, __hfma2(p, q, r), __hfma2_sat(p, q, r), __hfma2_relu(p, q, r));
  put(w, __hmax2(p, q), __hmin2(p, q), __hmax2_nan(p, q), __hmin2_nan(p, q), -p, __habs2(p),
      __hcmadd(p, q, r));
  int bit = 0;
  w.put(0u ALL_COMPARISONS(COMPARED));
  ALL_COMPARISONS(COMPARED_PAIRS)
  w.put((int)(x == y) + 2 * (x != y) + 4 * (x < y) + 8 * (x > y) + 16 * (x <= y) + 32 * (x >= y));
  w.put((int)(p == q) + 2 * (p != q) + 4 * (p < q) + 8 * (p > q) + 16 * (p <= q) + 32 * (p >= q));
}

extern "C" __global__ void half_conversions(const unsigned int* operands, unsigned int n,
                                            unsigned int* out) {
  BEGIN_WITH(HalfWriter)
  put(w, __float2half(__uint_as_float(a)),
      __double2half(__longlong_as_double((long long)wide(a, b))));
#define VALUES (__uint_as_float(a))
  FOUR(__float2half)
#undef VALUES
#define VALUES ((short)a)
  FOUR(__short2half)
#undef VALUES
#define VALUES ((unsigned short)a)
  FOUR(__ushort2half)
#undef VALUES
#define VALUES ((int)a)
  FOUR(__int2half)
#undef VALUES
#define VALUES (a)
  FOUR(__uint2half)
#undef VALUES
#define VALUES ((long long)wide(a, b))
  FOUR(__ll2half)
#undef VALUES
#define VALUES (wide(a, b))
  FOUR(__ull2half)
#undef VALUES
  const float2 floats = make_float2(__uint_as_float(a), __uint_as_float(b));
  put(w, __float22half2_rn(floats), __floats2half2_rn(floats.y, floats.x),
      __float2half2_rn(floats.x));
  const __half2 p = halves(a), q = halves(b);
  put(w, __low2float(p), __high2float(p), __half22float2(p).x, __half22float2(p).y);
  put(w, __low2half(p), __high2half(p), __low2half2(p), __high2half2(p), __lows2half2(p, q),
      __highs2half2(p, q));
  put(w, __lowhigh2highlow(p), __half2half2(p.x), make_half2(p.y, q.x));
}

// Every 16-bit number, ten words each. Thread i takes the 16 numbers from 16 * i on and
// ignores the operands.
extern "C" __global__ void every_half(const unsigned int*, unsigned int, unsigned int* out) {
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  HalfWriter w{out + i * results};
  const auto bits = [](__half x) {
    return __hisnan(x) ? 0x7fffu : (unsigned int)__half_as_ushort(x);
  };
  for (unsigned int k = 16 * i; k < 16 * i + 16; ++k) {
    const __half x = low_half(k);
    put(w, __half2float(x), bits(hceil(x)) | bits(hfloor(x)) << 16,
        bits(hrint(x)) | bits(htrunc(x)) << 16);
    w.put(bits(hsqrt(x)) | (unsigned int)__hisnan(x) << 16 | (unsigned int)(__hisinf(x) + 1) << 24);
    put(w,
        (unsigned int)__half2ushort_rz(x) | (unsigned int)(unsigned short)__half2short_ru(x) << 16,
        (unsigned int)__half2ll_rd(x));
    put(w, __half2int_rn(x), __half2int_rz(x), __half2int_ru(x), __half2uint_rd(x));
  }
}

__device__ void half_sums(HalfWriter& w, void* cell, unsigned int a, unsigned int b) {
  const __half x = low_half(a), y = low_half(b);
  const __half2 pair = halves(a), other = halves(b);
  UPDATE(__half, x, atomicAdd(p, y))
  UPDATE(__half2, pair, atomicAdd(p, other))
}
extern "C" __global__ void half_atomics(const unsigned int* operands, unsigned int n,
                                        unsigned int* out) {
  __shared__ unsigned int cells[64];
  BEGIN_WITH(HalfWriter)
  half_sums(w, out + i * results + results - 2, a, b);
  half_sums(w, &cells[threadIdx.x % 64], a, b);
  out[i * results + results - 2] = c;  // the bits of a NaN are unspecified
}

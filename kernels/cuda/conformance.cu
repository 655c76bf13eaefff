// Calls every intrinsic with an exactly defined result, with the same operands on every device.
// conformance_half.cu does the same for <cuda_fp16.h>. Functions without an exact definition
// (__expf, __sinf, rsqrtf, clock64) are left out. Needs sm_80, for __reduce_add_sync and
// related functions.
//
// Each kernel is k(operands, n, out). Thread i takes three operands and writes its results to
// out[i * results ...], in the order of the calls below; other words stay zero. Tests compare the
// results with independently computed ones (kernels/worker/conformance_file_test.cpp), and those of
// the emulator with those of a GPU, bit by bit (kernels/gpu/conformance_gpu_test.cpp).
#include "kernels/cuda/conformance.cuh"

__device__ char4 bytes(unsigned int x) {
  return make_char4((char)x, (char)(x >> 8), (char)(x >> 16), (char)(x >> 24));
}
__device__ uchar4 ubytes(unsigned int x) {
  return make_uchar4((unsigned char)x, (unsigned char)(x >> 8), (unsigned char)(x >> 16),
                     (unsigned char)(x >> 24));
}

extern "C" __global__ void integers(const unsigned int* operands, unsigned int n,
                                    unsigned int* out) {
  BEGIN
  const unsigned long long ab = wide(a, b), bc = wide(b, c);
  put(w, __popc(a), __popcll(ab), __ffs((int)a), __ffsll((long long)ab));
  put(w, __clz((int)a), __clzll((long long)ab), __brev(a), __brevll(ab));
  w.put(__byte_perm(a, b, c));
  put(w, __funnelshift_l(a, b, c), __funnelshift_r(a, b, c), __funnelshift_lc(a, b, c),
      __funnelshift_rc(a, b, c));
  put(w, __funnelshift_lc(a, b, c % 40), __funnelshift_rc(a, b, c % 40));
  put(w, __mul24((int)a, (int)b), __umul24(a, b), __mulhi((int)a, (int)b), __umulhi(a, b));
  put(w, __mul64hi((long long)ab, (long long)bc), __umul64hi(ab, bc));
  put(w, __sad((int)a, (int)b, c), __usad(a, b, c));
  put(w, __hadd((int)a, (int)b), __rhadd((int)a, (int)b), __uhadd(a, b), __urhadd(a, b));
  put(w, __dp4a((int)a, (int)b, (int)c), __dp4a(a, b, c), __dp4a(bytes(a), bytes(b), (int)c),
      __dp4a(ubytes(a), ubytes(b), c));
  put(w, __dp2a_lo((int)a, (int)b, (int)c), __dp2a_lo(a, b, c), __dp2a_hi((int)a, (int)b, (int)c),
      __dp2a_hi(a, b, c));
  w.put(__dp2a_lo(make_short2((short)a, (short)(a >> 16)), bytes(b), (int)c));
  w.put(__dp2a_hi(make_ushort2((unsigned short)a, (unsigned short)(a >> 16)), ubytes(b), c));
  put(w, __fns(a, b % 32, (int)(c % 9) - 4), __fns(a, b % 32, 0), __fns(a, 0, (int)(c % 32) + 1));
  // Shifts by any distance. Distances >= the width are undefined in C++ but defined in PTX
  // (docs/emulator.md).
  const unsigned int near = c % 70;
  unsigned int left = a, right = a;
  left <<= near;
  right >>= near;
  put(w, a << b, a >> b, (int)a >> b, left, right, (int)a >> (int)near);
  put(w, ab << c, ab << near, ab >> near, (long long)ab >> near, a << bc, (int)a >> (long long)bc);
}

// Operations on two halfwords or four bytes at once.
#define BOTH(name) put(w, name##2(a, b), name##4(a, b));
#define BOTH_OF_ONE(name) put(w, name##2(a), name##4(a));
#define COMPARE(suffix)                                                             \
  put(w, __vcmp##suffix##2(a, b), __vcmp##suffix##4(a, b), __vset##suffix##2(a, b), \
      __vset##suffix##4(a, b));
extern "C" __global__ void simd(const unsigned int* operands, unsigned int n, unsigned int* out) {
  BEGIN
  // clang-format off
  BOTH_OF_ONE(__vabs) BOTH_OF_ONE(__vabsss) BOTH_OF_ONE(__vneg) BOTH_OF_ONE(__vnegss)
  BOTH(__vadd) BOTH(__vaddss) BOTH(__vaddus) BOTH(__vsub) BOTH(__vsubss) BOTH(__vsubus)
  BOTH(__vavgs) BOTH(__vavgu) BOTH(__vhaddu) BOTH(__vabsdiffs) BOTH(__vabsdiffu)
  BOTH(__vmaxs) BOTH(__vmaxu) BOTH(__vmins) BOTH(__vminu) BOTH(__vsads) BOTH(__vsadu)
  COMPARE(eq) COMPARE(ne) COMPARE(ges) COMPARE(geu) COMPARE(gts) COMPARE(gtu) COMPARE(les)
  COMPARE(leu) COMPARE(lts) COMPARE(ltu);
  // clang-format on
}

#define DPX(which)                                                               \
  put(w, __vi##which##_s32_relu(x, y), __vi##which##3_s32(x, y, z),              \
      __vi##which##3_s32_relu(x, y, z));                                         \
  put(w, __vi##which##3_u32(a, b, c), __viadd##which##_s32(x, y, z),             \
      __viadd##which##_s32_relu(x, y, z));                                       \
  put(w, __viadd##which##_u32(a, b, c), __vi##which##_s16x2_relu(a, b),          \
      __vi##which##3_s16x2(a, b, c));                                            \
  put(w, __vi##which##3_s16x2_relu(a, b, c), __vi##which##3_u16x2(a, b, c),      \
      __viadd##which##_s16x2(a, b, c));                                          \
  put(w, __viadd##which##_s16x2_relu(a, b, c), __viadd##which##_u16x2(a, b, c)); \
  w.put(__vib##which##_s32(x, y, &high));                                        \
  w.put((int)high);                                                              \
  w.put(__vib##which##_u32(a, b, &high));                                        \
  w.put((int)high);                                                              \
  w.put(__vib##which##_s16x2(a, b, &high, &low));                                \
  w.put((int)high);                                                              \
  w.put((int)low);                                                               \
  w.put(__vib##which##_u16x2(a, b, &high, &low));                                \
  w.put((int)high);                                                              \
  w.put((int)low);
extern "C" __global__ void dpx(const unsigned int* operands, unsigned int n, unsigned int* out) {
  BEGIN
  const int x = (int)a, y = (int)b, z = (int)c;
  bool high = false, low = false;
  DPX(max)
  DPX(min)
}

extern "C" __global__ void conversions(const unsigned int* operands, unsigned int n,
                                       unsigned int* out) {
  BEGIN
  const float x = __uint_as_float(a);
  const double xy = __longlong_as_double((long long)wide(a, b));
#define VALUES (x)
  // clang-format off
  FOUR(__float2int) FOUR(__float2uint) FOUR(__float2ll) FOUR(__float2ull)
#undef VALUES
#define VALUES (xy)
  FOUR(__double2int) FOUR(__double2uint) FOUR(__double2ll) FOUR(__double2ull) FOUR(__double2float)
#undef VALUES
#define VALUES ((int)a)
  FOUR(__int2float)
#undef VALUES
#define VALUES (a)
  FOUR(__uint2float)
#undef VALUES
#define VALUES ((long long)wide(a, b))
  FOUR(__ll2float) FOUR(__ll2double)
#undef VALUES
#define VALUES (wide(a, b))
  FOUR(__ull2float) FOUR(__ull2double);
  // clang-format on
#undef VALUES
  put(w, __int2double_rn((int)a), __uint2double_rn(a));
  put(w, __double2hiint(xy), __double2loint(xy), __hiloint2double((int)a, (int)b));
  put(w, __float_as_int(x), __int_as_float((int)a), __double_as_longlong(xy), __saturatef(x));
}

extern "C" __global__ void rounded(const unsigned int* operands, unsigned int n,
                                   unsigned int* out) {
  BEGIN
  const float x = __uint_as_float(a), y = __uint_as_float(b), z = __uint_as_float(c);
#define VALUES (x, y)
  // clang-format off
  FOUR(__fadd) FOUR(__fsub) FOUR(__fmul) FOUR(__fdiv)
#undef VALUES
#define VALUES (x)
  FOUR(__frcp) FOUR(__fsqrt)
#undef VALUES
#define VALUES (x, y, z)
  FOUR(__fmaf);
  // clang-format on
#undef VALUES
  const double u = __longlong_as_double((long long)wide(a, b)),
               v = __longlong_as_double((long long)wide(b, c));
#define VALUES (u, v)
  // clang-format off
  FOUR(__dadd) FOUR(__dsub) FOUR(__dmul) FOUR(__ddiv)
#undef VALUES
#define VALUES (u)
  FOUR(__drcp) FOUR(__dsqrt)
#undef VALUES
#define VALUES (u, v, (double)z)
  FOUR(__fma);
  // clang-format on
#undef VALUES
  put(w, x + y, x - y, __fmul_rn(x, y), x / y, sqrtf(x), fmaf(x, y, z), fminf(x, y), fmaxf(x, y));
  put(w, floorf(x), ceilf(x), truncf(x), rintf(x), roundf(x), fabsf(x), copysignf(x, y));
}

__device__ void all_atomics(Writer& w, void* cell, unsigned int a, unsigned int b, unsigned int c) {
  const int x = (int)a, y = (int)b, z = (int)c;
  const unsigned long long u = wide(a, b), v = wide(c, a);
  // clang-format off
  UPDATE(int, x, atomicAdd(p, y)) UPDATE(unsigned int, a, atomicAdd(p, b))
  UPDATE(unsigned long long, u, atomicAdd(p, v))
  UPDATE(int, x, atomicSub(p, y)) UPDATE(unsigned int, a, atomicSub(p, b))
  UPDATE(int, x, atomicExch(p, y)) UPDATE(unsigned int, a, atomicExch(p, b))
  UPDATE(unsigned long long, u, atomicExch(p, v))
  UPDATE(int, x, atomicMin(p, y)) UPDATE(unsigned int, a, atomicMin(p, b))
  UPDATE(unsigned long long, u, atomicMin(p, v))
  UPDATE(long long, (long long)u, atomicMin(p, (long long)v))
  UPDATE(int, x, atomicMax(p, y)) UPDATE(unsigned int, a, atomicMax(p, b))
  UPDATE(unsigned long long, u, atomicMax(p, v))
  UPDATE(long long, (long long)u, atomicMax(p, (long long)v))
  UPDATE(unsigned int, a, atomicInc(p, b)) UPDATE(unsigned int, a, atomicDec(p, b))
  UPDATE(unsigned int, b, atomicInc(p, b)) UPDATE(unsigned int, 0u, atomicDec(p, b))
  UPDATE(int, x, atomicAnd(p, y)) UPDATE(unsigned int, a, atomicOr(p, b))
  UPDATE(unsigned long long, u, atomicXor(p, v))
  UPDATE(unsigned long long, u, atomicAnd(p, v)) UPDATE(unsigned long long, u, atomicOr(p, v))
  UPDATE(int, x, atomicXor(p, y))
  UPDATE(int, x, atomicCAS(p, x, z)) UPDATE(int, x, atomicCAS(p, y, z))
  UPDATE(unsigned long long, u, atomicCAS(p, u, v))
  UPDATE(unsigned long long, u, atomicCAS(p, v, u))
  UPDATE(unsigned short, (unsigned short)a, atomicCAS(p, (unsigned short)a, (unsigned short)b))
  UPDATE(int, x, atomicAdd_block(p, y)) UPDATE(unsigned int, a, atomicMax_system(p, b))
  UPDATE(unsigned long long, u, atomicExch_block(p, v));
  // clang-format on
}
extern "C" __global__ void atomics(const unsigned int* operands, unsigned int n,
                                   unsigned int* out) {
  BEGIN
  all_atomics(w, out + i * results + results - 2, a, b, c);
}
extern "C" __global__ void shared_atomics(const unsigned int* operands, unsigned int n,
                                          unsigned int* out) {
  __shared__ unsigned long long cells[64];
  BEGIN
  all_atomics(w, &cells[threadIdx.x % 64], a, b, c);
}

// Sums of floating-point numbers, rounded to nearest. Single precision in global memory
// has no subnormals.
extern "C" __global__ void float_atomics(const unsigned int* operands, unsigned int n,
                                         unsigned int* out) {
  __shared__ double cells[64];
  BEGIN
  const float x = __uint_as_float(a), y = __uint_as_float(b);
  const double u = __longlong_as_double((long long)wide(a, b)),
               v = __longlong_as_double((long long)wide(b, c));
  void* cell = out + i * results + results - 2;
  // clang-format off
  UPDATE(float, x, atomicAdd(p, y)) UPDATE(double, u, atomicAdd(p, v))
  UPDATE(float, x, atomicExch(p, y));
  // clang-format on
  *(unsigned long long*)cell = 0;  // the bits of a NaN are unspecified
  cell = &cells[threadIdx.x % 64];
  // clang-format off
  UPDATE(float, x, atomicAdd(p, y)) UPDATE(double, u, atomicAdd(p, v))
  UPDATE(float, x, atomicExch(p, y));
  // clang-format on
}

// Accesses with a cache hint, of each width.
template <class T>
__device__ void moved(const void* from, void* to) {
  const T* source = (const T*)from;
  T* target = (T*)to;
  __stwb(target, __ldg(source));
  __stcg(target + 1, __ldca(source + 1));
  __stcs(target + 2, __ldcg(source + 2));
  __stwt(target + 3, __ldcs(source + 3));
  __stwb(target, __ldlu(source));
  __stwb(target + 1, __ldcv(source + 1));
}
extern "C" __global__ void hints(const unsigned int* operands, unsigned int n, unsigned int* out) {
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned int* from = operands + i * 4 % (n - 16) / 4 * 4;
  unsigned int* to = out + i * results;
  moved<unsigned char>(from, to);
  moved<short>(from, to + 4);
  moved<unsigned int>(from, to + 8);
  moved<unsigned long long>(from, to + 16);
  moved<float>(from, to + 24);
  moved<double>(from, to + 32);
  moved<uchar4>(from, to + 40);
  moved<short2>(from, to + 44);
  moved<uint2>(from, to + 48);
  moved<float2>(from, to + 56);
  moved<uint4>(from, to + 64);
  moved<float4>(from, to + 80);
  moved<double2>(from, to + 96);
}

// Exchange between the lanes of a warp, also with only some lanes.
#define REDUCE(mask)                                                                         \
  put(w, __reduce_add_sync(mask, a), __reduce_min_sync(mask, a), __reduce_max_sync(mask, a), \
      __reduce_add_sync(mask, (int)b));                                                      \
  put(w, __reduce_min_sync(mask, (int)b), __reduce_max_sync(mask, (int)b),                   \
      __reduce_and_sync(mask, a), __reduce_or_sync(mask, a));                                \
  w.put(__reduce_xor_sync(mask, a));
extern "C" __global__ void warps(const unsigned int* operands, unsigned int n, unsigned int* out) {
  BEGIN
  const unsigned int lane = threadIdx.x % 32, all = 0xffffffffu;
  const unsigned long long ab = wide(a, b);
  put(w, __shfl_sync(all, a, (int)(c % 64)), __shfl_sync(all, a, (int)(c % 64), 8),
      __shfl_sync(all, ab, 7, 16));
  put(w, __shfl_up_sync(all, a, 3), __shfl_up_sync(all, ab, 5, 8), __shfl_down_sync(all, (int)a, 3),
      __shfl_down_sync(all, ab, 9, 16));
  put(w, __shfl_xor_sync(all, a, 9), __shfl_xor_sync(all, ab, 9, 8), __shfl_xor_sync(all, a, 6, 4),
      __shfl_up_sync(all, a, 0, 2));
  put(w, __shfl_xor_sync(all, __uint_as_float(a), 16),
      __shfl_down_sync(all, __longlong_as_double((long long)ab), 1));
  put(w, __ballot_sync(all, (int)(a & 2)), (int)!!__any_sync(all, a == 7),
      (int)!!__all_sync(all, c != 7), __activemask());
  int same = 0;
  put(w, __match_any_sync(all, a % 3), __match_any_sync(all, ab % 5));
  w.put(__match_all_sync(all, i / 32, &same));
  w.put(same);
  w.put(__match_all_sync(all, a, &same));
  w.put(same);
  REDUCE(all)
  if (lane >= 11 && lane < 30) {
    const unsigned int some = 0x3ffff800u;
    put(w, __ballot_sync(some, (int)(b & 1)), __shfl_sync(some, a, 12 + (int)(c % 9)),
        __match_any_sync(some, b % 2));
    REDUCE(some)
  }
}

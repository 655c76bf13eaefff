// The CUDA shim: the declarations of CUDA that g++ includes before the student's file.
//
// An editor shows the `///` comments, and the comments inside of macros. See docs/emulator.md, "The
// shim".
// An editor shows a comment as one line.
// clang-format off
#pragma once

#include <assert.h>
#include <stddef.h>
#include <stdint.h>

#define HISTOLAB_NOTHING
#ifdef HISTOLAB_HOST
#include "host_pass.h"
#else
// `flatten` and an empty __noinline__: helpers are inlined into the kernel, in the order of the
// source. So the positions of diverged lanes in the code show where they meet again.
#define __global__ /* a kernel: runs on the device, is called by a launch, returns void */ __attribute__((visibility("protected"), used, flatten))
#define __device__ /* a function that device code calls, or a variable in global memory that lives as long as the program */ HISTOLAB_NOTHING
#ifdef HISTOLAB_PROGRAM  // Not an attribute of g++; marks device code (kernels/program/syntax).
#undef __device__
#define __device__ __attribute__((histolab_device))
#endif
#define __host__ /* a function that host code calls; with __device__, both */ HISTOLAB_NOTHING
#define __shared__ /* in the shared memory of the block: one for all of its threads, not initialized */ __attribute__((used)) thread_local
// A section of its own: the loader recognizes the variable by the section's name.
#define HISTOLAB_TEXT_OF(x) #x
#define HISTOLAB_CONSTANT(number) __attribute__((section(".histolab_constant." HISTOLAB_TEXT_OF(number))))
#define __constant__ /* in constant memory: 64 KiB that all threads can read and no thread can write */ HISTOLAB_CONSTANT(__COUNTER__)
#define __managed__ /* with __device__: a variable that the host can use, too */ HISTOLAB_NOTHING
// The loader reads the attribute.
#define __launch_bounds__(threads, ...) /* no launch has more threads in a block; the second number: blocks that fit on a multiprocessor, at least */ __attribute__((constructor(threads)))
#define HISTOLAB_RUNTIME(name) __asm__("histolab_" #name)
#endif
#define __forceinline__ /* inlined at every call */ inline __attribute__((always_inline))
#define __noinline__ /* not inlined, if possible */ HISTOLAB_NOTHING
#define __align__(n) /* its address is a multiple of n */ __attribute__((aligned(n)))
#define __grid_constant__ /* with a const parameter of a kernel: its address may be taken, and no thread makes a copy */ HISTOLAB_NOTHING

// Names of <sys/types.h> that device code uses. On Linux nvcc's own headers include that file.
// Including it here would cost two milliseconds.
typedef unsigned char u_char;
typedef unsigned short u_short, ushort;
typedef unsigned int u_int, uint;
typedef unsigned long u_long, ulong;
typedef uint8_t u_int8_t;
typedef uint16_t u_int16_t;
typedef uint32_t u_int32_t;
typedef uint64_t u_int64_t;
typedef long ssize_t;

// ---- vector types ---------------------------------------------------------------------------------------------------
// The names are macro arguments: otherwise clangd does not find the comment.
#define HISTOLAB_VECTORS(T, N1, N2, N3, N4, A2, A4)                                              \
  struct N1 { T x; };                                                                            \
  struct __attribute__((aligned(A2))) N2 { T x, y; };                                            \
  struct N3 { T x, y, z; };                                                                      \
  struct __attribute__((aligned(A4))) N4 { T x, y, z, w; };                                      \
  static inline N1 make_##N1(T x) { return {x}; }                                                \
  static inline N2 make_##N2(T x, T y) { return {x, y}; }                                        \
  static inline N3 make_##N3(T x, T y, T z) { return {x, y, z}; }                                \
  static inline N4 make_##N4(T x, T y, T z, T w) { return {x, y, z, w}; }
/// One to four values of type signed char: x, y, z, w. char2 is aligned to 2 bytes, char4 to 4.
HISTOLAB_VECTORS(signed char, char1, char2, char3, char4, 2, 4)
/// One to four values of type unsigned char: x, y, z, w. uchar2 is aligned to 2 bytes, uchar4 to 4.
HISTOLAB_VECTORS(unsigned char, uchar1, uchar2, uchar3, uchar4, 2, 4)
/// One to four values of type short: x, y, z, w. short2 is aligned to 4 bytes, short4 to 8.
HISTOLAB_VECTORS(short, short1, short2, short3, short4, 4, 8)
/// One to four values of type unsigned short: x, y, z, w. ushort2 is aligned to 4 bytes, ushort4 to 8.
HISTOLAB_VECTORS(unsigned short, ushort1, ushort2, ushort3, ushort4, 4, 8)
/// One to four values of type int: x, y, z, w. int2 is aligned to 8 bytes, int4 to 16.
HISTOLAB_VECTORS(int, int1, int2, int3, int4, 8, 16)
/// One to four values of type unsigned int: x, y, z, w. uint2 is aligned to 8 bytes, uint4 to 16.
HISTOLAB_VECTORS(unsigned int, uint1, uint2, uint3, uint4, 8, 16)
/// One to four values of type long: x, y, z, w. long2 is aligned to 16 bytes, long4 to 16.
HISTOLAB_VECTORS(long, long1, long2, long3, long4, 16, 16)
/// One to four values of type unsigned long: x, y, z, w. ulong2 is aligned to 16 bytes, ulong4 to 16.
HISTOLAB_VECTORS(unsigned long, ulong1, ulong2, ulong3, ulong4, 16, 16)
/// One to four values of type long long: x, y, z, w. longlong2 is aligned to 16 bytes, longlong4 to 16.
HISTOLAB_VECTORS(long long, longlong1, longlong2, longlong3, longlong4, 16, 16)
/// One to four values of type unsigned long long: x, y, z, w. ulonglong2 is aligned to 16 bytes, ulonglong4 to 16.
HISTOLAB_VECTORS(unsigned long long, ulonglong1, ulonglong2, ulonglong3, ulonglong4, 16, 16)
/// One to four values of type float: x, y, z, w. float2 is aligned to 8 bytes, float4 to 16.
HISTOLAB_VECTORS(float, float1, float2, float3, float4, 8, 16)
/// One to four values of type double: x, y, z, w. double2 is aligned to 16 bytes, double4 to 16.
HISTOLAB_VECTORS(double, double1, double2, double3, double4, 16, 16)
#undef HISTOLAB_VECTORS

/// Sizes of a grid or a block in three dimensions. A size that is omitted is 1.
struct dim3 {
  unsigned int x, y, z;
  constexpr dim3(unsigned int x = 1, unsigned int y = 1, unsigned int z = 1) : x(x), y(y), z(z) {}
  constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
  constexpr operator uint3() const { return {x, y, z}; }
};

// ---- built-in variables ---------------------------------------------------------------------------------------------
#if defined(HISTOLAB_HOST)
#define HISTOLAB_BUILT_IN
#undef HISTOLAB_RUNTIME
#define HISTOLAB_RUNTIME(name) __asm__("histolab_on_host_variable")
#elif defined(HISTOLAB_DEBUGGER)
#define HISTOLAB_BUILT_IN __thread  // without optimization, a thread_local is read by a function
#else
#define HISTOLAB_BUILT_IN thread_local
#endif
/// Index of this thread in its block: x from 0 to blockDim.x - 1, y and z likewise.
extern const HISTOLAB_BUILT_IN uint3 threadIdx HISTOLAB_RUNTIME(threadIdx);
/// Index of this thread's block in the grid: x from 0 to gridDim.x - 1, y and z likewise.
extern const HISTOLAB_BUILT_IN uint3 blockIdx HISTOLAB_RUNTIME(blockIdx);
/// Threads of a block, in each dimension.
extern const HISTOLAB_BUILT_IN uint3 blockDim HISTOLAB_RUNTIME(blockDim);
/// Blocks of the grid, in each dimension.
extern const HISTOLAB_BUILT_IN uint3 gridDim HISTOLAB_RUNTIME(gridDim);
/// Threads of a warp: 32. A variable, not a constant: it can't be the length of an array.
extern const HISTOLAB_BUILT_IN int warpSize HISTOLAB_RUNTIME(warpSize);
#undef HISTOLAB_BUILT_IN
#ifdef HISTOLAB_HOST
#undef HISTOLAB_RUNTIME
#define HISTOLAB_RUNTIME(name) __asm__("histolab_on_host")
#endif

// ---- synchronization and order --------------------------------------------------------------------------------------

/// Waits until all threads of the block have reached it. Their earlier writes to global and shared
/// memory are then visible to all of them. Call it in conditional code only if the condition is the
/// same for the whole block.
void __syncthreads() HISTOLAB_RUNTIME(syncthreads);
/// __syncthreads() that returns the number of threads of the block whose predicate is not 0.
int __syncthreads_count(int predicate) HISTOLAB_RUNTIME(syncthreads_count);
/// __syncthreads() that returns non-zero if and only if the predicate is non-zero for all threads of the block.
int __syncthreads_and(int predicate) HISTOLAB_RUNTIME(syncthreads_and);
/// __syncthreads() that returns non-zero if and only if the predicate is non-zero for any thread of the block.
int __syncthreads_or(int predicate) HISTOLAB_RUNTIME(syncthreads_or);
/// Orders this thread's own accesses to memory: a thread of the device that sees a write behind the
/// fence also sees all writes before it. Does not wait for other threads.
void __threadfence() HISTOLAB_RUNTIME(threadfence);
/// __threadfence() as far as the threads of this block see it.
void __threadfence_block() HISTOLAB_RUNTIME(threadfence_block);
/// __threadfence() for all threads of this device, of the host and of other devices.
void __threadfence_system() HISTOLAB_RUNTIME(threadfence_system);

// ---- warp-level functions: all lanes of `mask` call them together -------------------------------

/// Waits until all lanes of the mask have reached a __syncwarp with the same mask, and orders their
/// accesses to memory.
void __syncwarp(unsigned int mask = 0xffffffffu) HISTOLAB_RUNTIME(syncwarp);
/// The lanes of the warp that are at this call now, as bits. CUDA does not promise which ones these
/// are, so do not use the result as a mask for synchronization.
unsigned int __activemask() HISTOLAB_RUNTIME(activemask);
#ifndef __clang__  // editor.h
#define HISTOLAB_WARP(T, tag)                                                                                    \
  T __shfl_sync(unsigned int mask, T value, int lane, int width = 32) HISTOLAB_RUNTIME(shfl_##tag);              \
  T __shfl_up_sync(unsigned int mask, T value, unsigned int delta, int width = 32) HISTOLAB_RUNTIME(shfl_up_##tag); \
  T __shfl_down_sync(unsigned int mask, T value, unsigned int delta, int width = 32) HISTOLAB_RUNTIME(shfl_down_##tag); \
  T __shfl_xor_sync(unsigned int mask, T value, int lane_mask, int width = 32) HISTOLAB_RUNTIME(shfl_xor_##tag); \
  unsigned int __match_any_sync(unsigned int mask, T value) HISTOLAB_RUNTIME(match_any_##tag);                   \
  unsigned int histolab_match_all(unsigned int mask, T value) HISTOLAB_RUNTIME(match_all_##tag);                 \
  static __forceinline__ unsigned int __match_all_sync(unsigned int mask, T value, int* all_match) {             \
    const unsigned int lanes = histolab_match_all(mask, value);                                                  \
    *all_match = lanes != 0;                                                                                     \
    return lanes;                                                                                                \
  }
HISTOLAB_WARP(int, u32)
HISTOLAB_WARP(unsigned int, u32)
HISTOLAB_WARP(long, u64)
HISTOLAB_WARP(unsigned long, u64)
HISTOLAB_WARP(long long, u64)
HISTOLAB_WARP(unsigned long long, u64)
HISTOLAB_WARP(float, f32)
HISTOLAB_WARP(double, f64)
#undef HISTOLAB_WARP
#endif
/// Bit i of the result is set if lane i is in the mask and its predicate is not 0.
unsigned int __ballot_sync(unsigned int mask, int predicate) HISTOLAB_RUNTIME(ballot);
/// Non-zero if and only if the predicate is non-zero for any lane of the mask.
int __any_sync(unsigned int mask, int predicate) HISTOLAB_RUNTIME(any);
/// Non-zero if and only if the predicate is non-zero for all lanes of the mask.
int __all_sync(unsigned int mask, int predicate) HISTOLAB_RUNTIME(all);
#define HISTOLAB_REDUCE(name, T, tag) T __reduce_##name##_sync(unsigned int mask, T value) HISTOLAB_RUNTIME(reduce_##tag);
HISTOLAB_REDUCE(add, int, add)
HISTOLAB_REDUCE(add, unsigned int, add)
HISTOLAB_REDUCE(min, int, min_i32)
HISTOLAB_REDUCE(min, unsigned int, min_u32)
HISTOLAB_REDUCE(max, int, max_i32)
HISTOLAB_REDUCE(max, unsigned int, max_u32)
HISTOLAB_REDUCE(and, unsigned int, and)
HISTOLAB_REDUCE(or, unsigned int, or)
HISTOLAB_REDUCE(xor, unsigned int, xor)
#undef HISTOLAB_REDUCE

// ---- atomic functions: each returns the old value -------------------------------------------------------------------
#ifndef __clang__  // editor.h
#define HISTOLAB_ATOMIC(name, T, tag)                                  \
  T name(T* address, T value) HISTOLAB_RUNTIME(name##_##tag);          \
  T name##_block(T* address, T value) HISTOLAB_RUNTIME(name##_block_##tag);  \
  T name##_system(T* address, T value) HISTOLAB_RUNTIME(name##_##tag);
#define HISTOLAB_ATOMIC_32_64(name)         \
  HISTOLAB_ATOMIC(name, int, i32)           \
  HISTOLAB_ATOMIC(name, unsigned int, u32)  \
  HISTOLAB_ATOMIC(name, unsigned long long, u64)
HISTOLAB_ATOMIC_32_64(atomicAdd)   // *address += value
HISTOLAB_ATOMIC(atomicAdd, float, f32)
HISTOLAB_ATOMIC(atomicAdd, double, f64)
HISTOLAB_ATOMIC(atomicSub, int, i32)  // *address -= value
HISTOLAB_ATOMIC(atomicSub, unsigned int, u32)
HISTOLAB_ATOMIC_32_64(atomicExch)  // *address = value
HISTOLAB_ATOMIC(atomicExch, float, f32)
HISTOLAB_ATOMIC_32_64(atomicMin)
HISTOLAB_ATOMIC(atomicMin, long long, i64)
HISTOLAB_ATOMIC_32_64(atomicMax)
HISTOLAB_ATOMIC(atomicMax, long long, i64)
HISTOLAB_ATOMIC(atomicInc, unsigned int, u32)  // old >= value ? 0 : old + 1
HISTOLAB_ATOMIC(atomicDec, unsigned int, u32)  // old == 0 || old > value ? value : old - 1
HISTOLAB_ATOMIC_32_64(atomicAnd)
HISTOLAB_ATOMIC_32_64(atomicOr)
HISTOLAB_ATOMIC_32_64(atomicXor)
#define HISTOLAB_CAS(T, tag)                                                                  \
  T atomicCAS(T* address, T compare, T value) HISTOLAB_RUNTIME(atomicCAS_##tag);              \
  T atomicCAS_block(T* address, T compare, T value) HISTOLAB_RUNTIME(atomicCAS_block_##tag);  \
  T atomicCAS_system(T* address, T compare, T value) HISTOLAB_RUNTIME(atomicCAS_##tag);
HISTOLAB_CAS(unsigned short, u16)  // *address = old == compare ? value : old
HISTOLAB_CAS(int, i32)
HISTOLAB_CAS(unsigned int, u32)
HISTOLAB_CAS(unsigned long long, u64)
#define HISTOLAB_NO_ATOMIC(T)                                                                                            \
  T atomicAdd(T* address, T value) __attribute__((error("atomicAdd on a vector type is CUDA (sm_90), but this version of the emulator " \
                                                        "does not have it yet: add the members one by one")));
HISTOLAB_NO_ATOMIC(float2)
HISTOLAB_NO_ATOMIC(float4)
#undef HISTOLAB_NO_ATOMIC
#undef HISTOLAB_CAS
#undef HISTOLAB_ATOMIC_32_64
#undef HISTOLAB_ATOMIC
#endif

// ---- integer and math intrinsics ------------------------------------------------------------------------------------
#define HISTOLAB_MIN_MAX(A, B, R)                                              \
  static inline R min(A a, B b) { return (R)a < (R)b ? (R)a : (R)b; } \
  static inline R max(A a, B b) { return (R)a > (R)b ? (R)a : (R)b; }
HISTOLAB_MIN_MAX(int, int, int)
HISTOLAB_MIN_MAX(unsigned int, unsigned int, unsigned int)
HISTOLAB_MIN_MAX(int, unsigned int, unsigned int)
HISTOLAB_MIN_MAX(unsigned int, int, unsigned int)
HISTOLAB_MIN_MAX(long, long, long)
HISTOLAB_MIN_MAX(unsigned long, unsigned long, unsigned long)
HISTOLAB_MIN_MAX(long, unsigned long, unsigned long)
HISTOLAB_MIN_MAX(unsigned long, long, unsigned long)
HISTOLAB_MIN_MAX(long long, long long, long long)
HISTOLAB_MIN_MAX(unsigned long long, unsigned long long, unsigned long long)
HISTOLAB_MIN_MAX(long long, unsigned long long, unsigned long long)
HISTOLAB_MIN_MAX(unsigned long long, long long, unsigned long long)
#undef HISTOLAB_MIN_MAX

/// The number of bits that are set.
static inline int __popcll(unsigned long long x) {
  x -= (x >> 1) & 0x5555555555555555ull;  // by hand: __builtin_popcount would call the compiler's own library
  x = (x & 0x3333333333333333ull) + ((x >> 2) & 0x3333333333333333ull);
  return (int)((((x + (x >> 4)) & 0x0f0f0f0f0f0f0f0full) * 0x0101010101010101ull) >> 56);
}
/// The number of bits that are set.
static inline int __popc(unsigned int x) { return __popcll(x); }
/// The position of the least significant bit that is set, counted from 1; 0 if x is 0.
static inline int __ffs(int x) { return __builtin_ffs(x); }
/// The position of the least significant bit that is set, counted from 1; 0 if x is 0.
static inline int __ffsll(long long x) { return __builtin_ffsll(x); }
/// The number of zero bits before the most significant bit that is set; 32 if x is 0.
static inline int __clz(int x) { return x == 0 ? 32 : __builtin_clz((unsigned int)x); }
/// The number of zero bits before the most significant bit that is set; 64 if x is 0.
static inline int __clzll(long long x) { return x == 0 ? 64 : __builtin_clzll((unsigned long long)x); }
/// The bits in reverse order.
static inline unsigned int __brev(unsigned int x) {
  unsigned int r = 0;
  for (int i = 0; i < 32; ++i) r |= ((x >> i) & 1u) << (31 - i);
  return r;
}
/// Four of the eight bytes of a (0 to 3) and b (4 to 7): bits 4i to 4i + 2 of s select byte i of
/// the result.
static inline unsigned int __byte_perm(unsigned int a, unsigned int b, unsigned int s) {
  const unsigned long long bytes = ((unsigned long long)b << 32) | a;
  unsigned int r = 0;
  for (int i = 0; i < 4; ++i) r |= ((unsigned int)(bytes >> (8 * ((s >> (4 * i)) & 7u))) & 0xffu) << (8 * i);
  return r;
}
/// The low 32 bits of the product of the low 24 bits of a and b, signed.
static inline int __mul24(int a, int b) { return ((a << 8) >> 8) * ((b << 8) >> 8); }
/// The low 32 bits of the product of the low 24 bits of a and b.
static inline unsigned int __umul24(unsigned int a, unsigned int b) { return (a & 0xffffffu) * (b & 0xffffffu); }
/// The high 32 bits of the 64-bit product.
static inline unsigned int __umulhi(unsigned int a, unsigned int b) { return (unsigned int)(((unsigned long long)a * b) >> 32); }
/// The high 32 bits of the 64-bit product.
static inline int __mulhi(int a, int b) { return (int)(((long long)a * b) >> 32); }
/// The high 32 bits of hi:lo shifted left by s & 31.
static inline unsigned int __funnelshift_l(unsigned int lo, unsigned int hi, unsigned int s) {
  return (unsigned int)(((((unsigned long long)hi << 32) | lo) << (s & 31u)) >> 32);
}
/// The low 32 bits of hi:lo shifted right by s & 31.
static inline unsigned int __funnelshift_r(unsigned int lo, unsigned int hi, unsigned int s) {
  return (unsigned int)((((unsigned long long)hi << 32) | lo) >> (s & 31u));
}
/// The high 32 bits of hi:lo shifted left by min(s, 32).
static inline unsigned int __funnelshift_lc(unsigned int lo, unsigned int hi, unsigned int s) {
  return s >= 32 ? lo : __funnelshift_l(lo, hi, s);
}
/// The low 32 bits of hi:lo shifted right by min(s, 32).
static inline unsigned int __funnelshift_rc(unsigned int lo, unsigned int hi, unsigned int s) {
  return s >= 32 ? hi : __funnelshift_r(lo, hi, s);
}
/// The bits in reverse order.
static inline unsigned long long __brevll(unsigned long long x) {
  return (unsigned long long)__brev((unsigned int)x) << 32 | __brev((unsigned int)(x >> 32));
}
/// The position of the offset-th set bit of the mask, counted upwards from bit base, or downwards
/// if offset is negative. 0xffffffff if that bit does not exist.
static inline unsigned int __fns(unsigned int mask, unsigned int base, int offset) {
  const int step = offset < 0 ? -1 : 1;
  for (int left = offset == 0 ? 1 : offset * step, i = (int)base; i >= 0 && i < 32; i += step) {
    if (((mask >> i) & 1u) != 0 && --left == 0) return (unsigned int)i;
    if (offset == 0) break;
  }
  return 0xffffffffu;
}
/// The high 64 bits of the 128-bit product.
static inline long long __mul64hi(long long a, long long b) { return (long long)(((__int128)a * b) >> 64); }
/// The high 64 bits of the 128-bit product.
static inline unsigned long long __umul64hi(unsigned long long a, unsigned long long b) {
  return (unsigned long long)(((unsigned __int128)a * b) >> 64);
}
/// |x - y| + z.
static inline unsigned int __sad(int x, int y, unsigned int z) {
  return (x < y ? (unsigned int)y - (unsigned int)x : (unsigned int)x - (unsigned int)y) + z;
}
/// |x - y| + z.
static inline unsigned int __usad(unsigned int x, unsigned int y, unsigned int z) { return (x < y ? y - x : x - y) + z; }
/// The average, rounded down; the sum does not overflow.
static inline int __hadd(int x, int y) { return (int)(((long long)x + y) >> 1); }
/// The average, rounded up; the sum does not overflow.
static inline int __rhadd(int x, int y) { return (int)(((long long)x + y + 1) >> 1); }
/// The average, rounded down; the sum does not overflow.
static inline unsigned int __uhadd(unsigned int x, unsigned int y) { return (unsigned int)(((unsigned long long)x + y) >> 1); }
/// The average, rounded up; the sum does not overflow.
static inline unsigned int __urhadd(unsigned int x, unsigned int y) { return (unsigned int)(((unsigned long long)x + y + 1) >> 1); }
// c + a dot product: of four bytes with four bytes, or of two halfwords with two of four bytes.
#define HISTOLAB_DOT(T, Byte, Half, Word4, Word2)                                                                              \
  static inline T __dp4a(T a, T b, T c) {                                                                                      \
    for (int i = 0; i < 32; i += 8) c += (T)(Byte)(a >> i) * (T)(Byte)(b >> i);                                                \
    return c;                                                                                                                  \
  }                                                                                                                            \
  static inline T __dp2a_lo(T a, T b, T c) { return c + (T)(Half)a * (T)(Byte)b + (T)(Half)(a >> 16) * (T)(Byte)(b >> 8); }    \
  static inline T __dp2a_hi(T a, T b, T c) { return __dp2a_lo(a, b >> 16, c); }                                                \
  static inline T __dp4a(Word4 a, Word4 b, T c) { return c + (T)a.x * b.x + (T)a.y * b.y + (T)a.z * b.z + (T)a.w * b.w; }      \
  static inline T __dp2a_lo(Word2 a, Word4 b, T c) { return c + (T)a.x * b.x + (T)a.y * b.y; }                                 \
  static inline T __dp2a_hi(Word2 a, Word4 b, T c) { return c + (T)a.x * b.z + (T)a.y * b.w; }
HISTOLAB_DOT(int, signed char, short, char4, short2)
HISTOLAB_DOT(unsigned int, unsigned char, unsigned short, uchar4, ushort2)
#undef HISTOLAB_DOT
/// The smaller one.
static inline unsigned int umin(unsigned int a, unsigned int b) { return a < b ? a : b; }
/// The larger one.
static inline unsigned int umax(unsigned int a, unsigned int b) { return a > b ? a : b; }

// Accesses with a cache hint. The emulator ignores the hint: these are plain loads and stores, also
// for vectors. Only __ldcv is a volatile load, except for vectors.
template <class T> struct HistolabSame { using type = T; };  // the value follows the address's type
/// Loads through the read-only data cache: no thread may write there while the kernel runs.
template <class T> static __forceinline__ T __ldg(const T* address) { return *address; }
/// Loads, cached at all levels.
template <class T> static __forceinline__ T __ldca(const T* address) { return *address; }
/// Loads, cached in L2 only.
template <class T> static __forceinline__ T __ldcg(const T* address) { return *address; }
/// Loads a value that is likely to be used only once: it is evicted from the caches first.
template <class T> static __forceinline__ T __ldcs(const T* address) { return *address; }
/// Loads a value that is not used again.
template <class T> static __forceinline__ T __ldlu(const T* address) { return *address; }
/// Stores, with write-back at all levels of the caches.
template <class T> static __forceinline__ void __stwb(T* address, typename HistolabSame<T>::type value) { *address = value; }
/// Stores, cached in L2 only.
template <class T> static __forceinline__ void __stcg(T* address, typename HistolabSame<T>::type value) { *address = value; }
/// Stores a value that is likely to be used only once: it is evicted from the caches first.
template <class T> static __forceinline__ void __stcs(T* address, typename HistolabSame<T>::type value) { *address = value; }
/// Stores through the caches to memory.
template <class T> static __forceinline__ void __stwt(T* address, typename HistolabSame<T>::type value) { *address = value; }
/// Loads from memory, even if a cache holds a value: a volatile read.
template <class T> static __forceinline__ T __ldcv(const T* address) {
  if constexpr (__is_class(T)) return *address;
  else return *(const volatile T*)address;
}
/// 1 if the address is in global memory, else 0.
int __isGlobal(const void* address) HISTOLAB_RUNTIME(isGlobal);
/// 1 if the address is in shared memory, else 0.
int __isShared(const void* address) HISTOLAB_RUNTIME(isShared);
/// 1 if the address is in local memory, else 0.
int __isLocal(const void* address) HISTOLAB_RUNTIME(isLocal);

// ---- mathematics: available in device code without an include -----------------------------------
// C's two functions, and C++'s overload for float: a template, so that <cmath> may declare its own,
// too.
// A trait of the compiler cannot be in a signature, only what it computed.
template <class T, class U> struct HistolabEqual { static constexpr bool value = __is_same(T, U); };
template <bool condition, class T> struct HistolabIf {};
template <class T> struct HistolabIf<true, T> { using type = T; };
#define HISTOLAB_IF(condition, T) typename HistolabIf<(condition), T>::type  // no such overload otherwise
#define HISTOLAB_MATH1(name)                                  \
  extern "C" double name(double) noexcept;                    \
  extern "C" float name##f(float) noexcept;                   \
  template <class T> static __forceinline__ HISTOLAB_IF((HistolabEqual<T, float>::value), T) name(T x) { return name##f(x); }
#define HISTOLAB_MATH2(name)                                  \
  extern "C" double name(double, double) noexcept;            \
  extern "C" float name##f(float, float) noexcept;            \
  template <class T> static __forceinline__ HISTOLAB_IF((HistolabEqual<T, float>::value), T) name(T x, T y) { return name##f(x, y); }
HISTOLAB_MATH1(floor) HISTOLAB_MATH1(ceil) HISTOLAB_MATH1(round) HISTOLAB_MATH1(trunc) HISTOLAB_MATH1(rint) HISTOLAB_MATH1(fabs)
HISTOLAB_MATH1(nearbyint) HISTOLAB_MATH1(sqrt) HISTOLAB_MATH1(rsqrt) HISTOLAB_MATH1(cbrt) HISTOLAB_MATH1(exp) HISTOLAB_MATH1(exp2)
HISTOLAB_MATH1(exp10) HISTOLAB_MATH1(expm1) HISTOLAB_MATH1(log) HISTOLAB_MATH1(log2) HISTOLAB_MATH1(log10) HISTOLAB_MATH1(log1p)
HISTOLAB_MATH1(sin) HISTOLAB_MATH1(cos) HISTOLAB_MATH1(tan) HISTOLAB_MATH1(asin) HISTOLAB_MATH1(acos) HISTOLAB_MATH1(atan)
HISTOLAB_MATH1(sinh) HISTOLAB_MATH1(cosh) HISTOLAB_MATH1(tanh) HISTOLAB_MATH1(erf) HISTOLAB_MATH1(erfc)
HISTOLAB_MATH2(fmin) HISTOLAB_MATH2(fmax) HISTOLAB_MATH2(fmod) HISTOLAB_MATH2(pow) HISTOLAB_MATH2(atan2) HISTOLAB_MATH2(hypot)
HISTOLAB_MATH2(fdim) HISTOLAB_MATH2(copysign) HISTOLAB_MATH2(remainder)
#undef HISTOLAB_MATH2
#undef HISTOLAB_MATH1
extern "C" {
double fma(double, double, double) noexcept;
float fmaf(float, float, float) noexcept;
}
#ifdef HISTOLAB_HOST  // the C library does not have it
extern "C" inline double rsqrt(double x) noexcept { return 1 / sqrt(x); }
extern "C" inline float rsqrtf(float x) noexcept { return 1 / sqrtf(x); }
#endif
// If one argument is NaN, the result is the other one.
static inline float min(float a, float b) { return fminf(a, b); }
static inline float max(float a, float b) { return fmaxf(a, b); }
static inline double min(double a, double b) { return fmin(a, b); }
static inline double max(double a, double b) { return fmax(a, b); }

// ---- functions of the C library in device code --------------------------------------------------
extern "C" {
#ifndef HISTOLAB_HOST
/// Prints like the host's printf, but after the kernel. Returns the number of arguments.
int printf(const char* format, ...) __attribute__((format(printf, 1, 2)));
void* memset(void* destination, int value, size_t bytes) noexcept;
void* memcpy(void* destination, const void* source, size_t bytes) noexcept;
/// Allocates memory on the device's heap, 16-byte aligned. Any thread, also of another kernel, can
/// free() it. Returns null if the heap is full.
void* malloc(size_t bytes) noexcept;
void free(void* memory) noexcept;
int abs(int x) noexcept;
#endif
/// Ends the kernel with an error.
[[noreturn]] void __trap() HISTOLAB_RUNTIME(trap);
/// Suspends the thread for about ns nanoseconds.
void __nanosleep(unsigned int ns) HISTOLAB_RUNTIME(nanosleep);
/// The multiprocessor's clock counter. On the emulator it increases, but does not measure time.
long long clock64() HISTOLAB_RUNTIME(clock64);
#ifndef HISTOLAB_HOST
/// The same as clock64().
long clock() noexcept HISTOLAB_RUNTIME(clock64);  // must match <time.h>
#endif
}

template <class T> static __forceinline__ HISTOLAB_IF((HistolabEqual<T, float>::value), T) abs(T x) { return fabsf(x); }
template <class T> static __forceinline__ HISTOLAB_IF((HistolabEqual<T, double>::value), T) abs(T x) { return fabs(x); }
template <class T> static __forceinline__ HISTOLAB_IF((HistolabEqual<T, long>::value || HistolabEqual<T, long long>::value), T) abs(T x) { return x < 0 ? -x : x; }

// As in nvcc, the argument is not evaluated: it is an operand of sizeof.
#define __builtin_assume(...) ((void)sizeof(bool(__VA_ARGS__)))

#ifdef __clang__
#include "editor.h"
#else
#include "operators.h"
#endif

// Code tests these macros to distinguish host from device and one toolkit from another. The values
// are those of nvcc 13.0 for sm_90. They are defined last: the headers above are host headers.
#ifndef HISTOLAB_CPP
#define __CUDACC__ 1
#define __NVCC__ 1
#define __NVCC_DIAG_PRAGMA_SUPPORT__ 1
#define __CUDACC_VER_MAJOR__ 13
#define __CUDACC_VER_MINOR__ 0
#define __CUDACC_VER_BUILD__ 88
#ifndef HISTOLAB_HOST
#define __CUDA_ARCH__ 900
#endif
#define __CUDA_ARCH_LIST__ 900
#endif
#define __CUDA_API_VER_MAJOR__ 13
#define __CUDA_API_VER_MINOR__ 0
#define CUDART_VERSION 13000
#define __CUDART_API_VERSION CUDART_VERSION

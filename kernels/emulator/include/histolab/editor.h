// The shim as clangd sees it, for the student's editor; g++ never reads this file.
//
// It declares once more, each with its documentation, what the shim declares by macros: clangd shows no comment of such a
// declaration. What is overloaded for many types is a template here: one entry in a list of completions, not ten. And the
// families that the worker includes only where they are used (compiler.cpp) are always there: an unused declaration costs an editor nothing.
#pragma once

#include "float_intrinsics.h"
#include "simd_intrinsics.h"

// ---- atomic functions -----------------------------------------------------------------------------------------------
template <class T, class... Each>
concept HistolabOneOf = (__is_same(T, Each) || ...);
template <class T>
using HistolabValue = typename HistolabSame<T>::type;  // converted to the type of the address

/// Reads old = *address and stores old + value, in one atomic operation. Returns old.
template <HistolabOneOf<int, unsigned int, unsigned long long, float, double> T> T atomicAdd(T* address, HistolabValue<T> value);
/// Reads old = *address and stores old + value, atomic for the threads of this block only. Returns old.
template <HistolabOneOf<int, unsigned int, unsigned long long, float, double> T> T atomicAdd_block(T* address, HistolabValue<T> value);
/// Reads old = *address and stores old + value, atomic for all devices and the host, too. Returns old.
template <HistolabOneOf<int, unsigned int, unsigned long long, float, double> T> T atomicAdd_system(T* address, HistolabValue<T> value);
/// Reads old = *address and stores old - value, in one atomic operation. Returns old.
template <HistolabOneOf<int, unsigned int> T> T atomicSub(T* address, HistolabValue<T> value);
/// Reads old = *address and stores old - value, atomic for the threads of this block only. Returns old.
template <HistolabOneOf<int, unsigned int> T> T atomicSub_block(T* address, HistolabValue<T> value);
/// Reads old = *address and stores old - value, atomic for all devices and the host, too. Returns old.
template <HistolabOneOf<int, unsigned int> T> T atomicSub_system(T* address, HistolabValue<T> value);
/// Reads old = *address and stores value, in one atomic operation. Returns old.
template <HistolabOneOf<int, unsigned int, unsigned long long, float> T> T atomicExch(T* address, HistolabValue<T> value);
/// Reads old = *address and stores value, atomic for the threads of this block only. Returns old.
template <HistolabOneOf<int, unsigned int, unsigned long long, float> T> T atomicExch_block(T* address, HistolabValue<T> value);
/// Reads old = *address and stores value, atomic for all devices and the host, too. Returns old.
template <HistolabOneOf<int, unsigned int, unsigned long long, float> T> T atomicExch_system(T* address, HistolabValue<T> value);
/// Reads old = *address and stores the smaller one of old and value, in one atomic operation. Returns old.
template <HistolabOneOf<int, unsigned int, unsigned long long, long long> T> T atomicMin(T* address, HistolabValue<T> value);
/// Reads old = *address and stores the smaller one of old and value, atomic for the threads of this block only. Returns old.
template <HistolabOneOf<int, unsigned int, unsigned long long, long long> T> T atomicMin_block(T* address, HistolabValue<T> value);
/// Reads old = *address and stores the smaller one of old and value, atomic for all devices and the host, too. Returns old.
template <HistolabOneOf<int, unsigned int, unsigned long long, long long> T> T atomicMin_system(T* address, HistolabValue<T> value);
/// Reads old = *address and stores the larger one of old and value, in one atomic operation. Returns old.
template <HistolabOneOf<int, unsigned int, unsigned long long, long long> T> T atomicMax(T* address, HistolabValue<T> value);
/// Reads old = *address and stores the larger one of old and value, atomic for the threads of this block only. Returns old.
template <HistolabOneOf<int, unsigned int, unsigned long long, long long> T> T atomicMax_block(T* address, HistolabValue<T> value);
/// Reads old = *address and stores the larger one of old and value, atomic for all devices and the host, too. Returns old.
template <HistolabOneOf<int, unsigned int, unsigned long long, long long> T> T atomicMax_system(T* address, HistolabValue<T> value);
/// Reads old = *address and stores old >= value ? 0 : old + 1, in one atomic operation. Returns old.
template <HistolabOneOf<unsigned int> T> T atomicInc(T* address, HistolabValue<T> value);
/// Reads old = *address and stores old >= value ? 0 : old + 1, atomic for the threads of this block only. Returns old.
template <HistolabOneOf<unsigned int> T> T atomicInc_block(T* address, HistolabValue<T> value);
/// Reads old = *address and stores old >= value ? 0 : old + 1, atomic for all devices and the host, too. Returns old.
template <HistolabOneOf<unsigned int> T> T atomicInc_system(T* address, HistolabValue<T> value);
/// Reads old = *address and stores old == 0 || old > value ? value : old - 1, in one atomic operation. Returns old.
template <HistolabOneOf<unsigned int> T> T atomicDec(T* address, HistolabValue<T> value);
/// Reads old = *address and stores old == 0 || old > value ? value : old - 1, atomic for the threads of this block only. Returns old.
template <HistolabOneOf<unsigned int> T> T atomicDec_block(T* address, HistolabValue<T> value);
/// Reads old = *address and stores old == 0 || old > value ? value : old - 1, atomic for all devices and the host, too. Returns old.
template <HistolabOneOf<unsigned int> T> T atomicDec_system(T* address, HistolabValue<T> value);
/// Reads old = *address and stores old & value, in one atomic operation. Returns old.
template <HistolabOneOf<int, unsigned int, unsigned long long> T> T atomicAnd(T* address, HistolabValue<T> value);
/// Reads old = *address and stores old & value, atomic for the threads of this block only. Returns old.
template <HistolabOneOf<int, unsigned int, unsigned long long> T> T atomicAnd_block(T* address, HistolabValue<T> value);
/// Reads old = *address and stores old & value, atomic for all devices and the host, too. Returns old.
template <HistolabOneOf<int, unsigned int, unsigned long long> T> T atomicAnd_system(T* address, HistolabValue<T> value);
/// Reads old = *address and stores old | value, in one atomic operation. Returns old.
template <HistolabOneOf<int, unsigned int, unsigned long long> T> T atomicOr(T* address, HistolabValue<T> value);
/// Reads old = *address and stores old | value, atomic for the threads of this block only. Returns old.
template <HistolabOneOf<int, unsigned int, unsigned long long> T> T atomicOr_block(T* address, HistolabValue<T> value);
/// Reads old = *address and stores old | value, atomic for all devices and the host, too. Returns old.
template <HistolabOneOf<int, unsigned int, unsigned long long> T> T atomicOr_system(T* address, HistolabValue<T> value);
/// Reads old = *address and stores old ^ value, in one atomic operation. Returns old.
template <HistolabOneOf<int, unsigned int, unsigned long long> T> T atomicXor(T* address, HistolabValue<T> value);
/// Reads old = *address and stores old ^ value, atomic for the threads of this block only. Returns old.
template <HistolabOneOf<int, unsigned int, unsigned long long> T> T atomicXor_block(T* address, HistolabValue<T> value);
/// Reads old = *address and stores old ^ value, atomic for all devices and the host, too. Returns old.
template <HistolabOneOf<int, unsigned int, unsigned long long> T> T atomicXor_system(T* address, HistolabValue<T> value);
/// Reads old = *address and stores old == compare ? value : old, in one atomic operation. Returns old.
template <HistolabOneOf<unsigned short, int, unsigned int, unsigned long long> T> T atomicCAS(T* address, HistolabValue<T> compare, HistolabValue<T> value);
/// Reads old = *address and stores old == compare ? value : old, atomic for the threads of this block only. Returns old.
template <HistolabOneOf<unsigned short, int, unsigned int, unsigned long long> T> T atomicCAS_block(T* address, HistolabValue<T> compare, HistolabValue<T> value);
/// Reads old = *address and stores old == compare ? value : old, atomic for all devices and the host, too. Returns old.
template <HistolabOneOf<unsigned short, int, unsigned int, unsigned long long> T> T atomicCAS_system(T* address, HistolabValue<T> compare, HistolabValue<T> value);

// ---- warp-level functions: made together by the lanes of `mask`; a value narrower than an int is one, as of any operator -----------

/// The value of the given lane, among neighbours of `width` lanes (2, 4, 8, 16 or 32); the lane is taken modulo width.
template <class T> auto __shfl_sync(unsigned int mask, T value, int lane, int width = 32) -> decltype(+value);
/// The value of the lane that is `delta` lower; this lane's own value where there is none in its `width` lanes.
template <class T> auto __shfl_up_sync(unsigned int mask, T value, unsigned int delta, int width = 32) -> decltype(+value);
/// The value of the lane that is `delta` higher; this lane's own value where there is none in its `width` lanes.
template <class T> auto __shfl_down_sync(unsigned int mask, T value, unsigned int delta, int width = 32) -> decltype(+value);
/// The value of the lane whose number is this lane's ^ lane_mask.
template <class T> auto __shfl_xor_sync(unsigned int mask, T value, int lane_mask, int width = 32) -> decltype(+value);
/// The lanes of the mask that have the same value as this lane, as bits.
template <class T> unsigned int __match_any_sync(unsigned int mask, T value);
/// The mask, with *all_match = 1, when all of its lanes have the same value; else 0, with *all_match = 0.
template <class T> unsigned int __match_all_sync(unsigned int mask, T value, int* all_match);
/// The sum of the values of all lanes of the mask.
unsigned int __reduce_add_sync(unsigned int mask, unsigned int value);
/// The sum of the values of all lanes of the mask.
int __reduce_add_sync(unsigned int mask, int value);
/// The smallest of the values of all lanes of the mask.
unsigned int __reduce_min_sync(unsigned int mask, unsigned int value);
/// The smallest of the values of all lanes of the mask.
int __reduce_min_sync(unsigned int mask, int value);
/// The largest of the values of all lanes of the mask.
unsigned int __reduce_max_sync(unsigned int mask, unsigned int value);
/// The largest of the values of all lanes of the mask.
int __reduce_max_sync(unsigned int mask, int value);
/// The bitwise AND of the values of all lanes of the mask.
unsigned int __reduce_and_sync(unsigned int mask, unsigned int value);
/// The bitwise OR of the values of all lanes of the mask.
unsigned int __reduce_or_sync(unsigned int mask, unsigned int value);
/// The bitwise XOR of the values of all lanes of the mask.
unsigned int __reduce_xor_sync(unsigned int mask, unsigned int value);

// ---- vectors and bits -------------------------------------------------------------------------------------------------

/// {x}
static inline char1 make_char1(signed char x);
/// {x, y}
static inline char2 make_char2(signed char x, signed char y);
/// {x, y, z}
static inline char3 make_char3(signed char x, signed char y, signed char z);
/// {x, y, z, w}
static inline char4 make_char4(signed char x, signed char y, signed char z, signed char w);
/// {x}
static inline uchar1 make_uchar1(unsigned char x);
/// {x, y}
static inline uchar2 make_uchar2(unsigned char x, unsigned char y);
/// {x, y, z}
static inline uchar3 make_uchar3(unsigned char x, unsigned char y, unsigned char z);
/// {x, y, z, w}
static inline uchar4 make_uchar4(unsigned char x, unsigned char y, unsigned char z, unsigned char w);
/// {x}
static inline short1 make_short1(short x);
/// {x, y}
static inline short2 make_short2(short x, short y);
/// {x, y, z}
static inline short3 make_short3(short x, short y, short z);
/// {x, y, z, w}
static inline short4 make_short4(short x, short y, short z, short w);
/// {x}
static inline ushort1 make_ushort1(unsigned short x);
/// {x, y}
static inline ushort2 make_ushort2(unsigned short x, unsigned short y);
/// {x, y, z}
static inline ushort3 make_ushort3(unsigned short x, unsigned short y, unsigned short z);
/// {x, y, z, w}
static inline ushort4 make_ushort4(unsigned short x, unsigned short y, unsigned short z, unsigned short w);
/// {x}
static inline int1 make_int1(int x);
/// {x, y}
static inline int2 make_int2(int x, int y);
/// {x, y, z}
static inline int3 make_int3(int x, int y, int z);
/// {x, y, z, w}
static inline int4 make_int4(int x, int y, int z, int w);
/// {x}
static inline uint1 make_uint1(unsigned int x);
/// {x, y}
static inline uint2 make_uint2(unsigned int x, unsigned int y);
/// {x, y, z}
static inline uint3 make_uint3(unsigned int x, unsigned int y, unsigned int z);
/// {x, y, z, w}
static inline uint4 make_uint4(unsigned int x, unsigned int y, unsigned int z, unsigned int w);
/// {x}
static inline long1 make_long1(long x);
/// {x, y}
static inline long2 make_long2(long x, long y);
/// {x, y, z}
static inline long3 make_long3(long x, long y, long z);
/// {x, y, z, w}
static inline long4 make_long4(long x, long y, long z, long w);
/// {x}
static inline ulong1 make_ulong1(unsigned long x);
/// {x, y}
static inline ulong2 make_ulong2(unsigned long x, unsigned long y);
/// {x, y, z}
static inline ulong3 make_ulong3(unsigned long x, unsigned long y, unsigned long z);
/// {x, y, z, w}
static inline ulong4 make_ulong4(unsigned long x, unsigned long y, unsigned long z, unsigned long w);
/// {x}
static inline longlong1 make_longlong1(long long x);
/// {x, y}
static inline longlong2 make_longlong2(long long x, long long y);
/// {x, y, z}
static inline longlong3 make_longlong3(long long x, long long y, long long z);
/// {x, y, z, w}
static inline longlong4 make_longlong4(long long x, long long y, long long z, long long w);
/// {x}
static inline ulonglong1 make_ulonglong1(unsigned long long x);
/// {x, y}
static inline ulonglong2 make_ulonglong2(unsigned long long x, unsigned long long y);
/// {x, y, z}
static inline ulonglong3 make_ulonglong3(unsigned long long x, unsigned long long y, unsigned long long z);
/// {x, y, z, w}
static inline ulonglong4 make_ulonglong4(unsigned long long x, unsigned long long y, unsigned long long z, unsigned long long w);
/// {x}
static inline float1 make_float1(float x);
/// {x, y}
static inline float2 make_float2(float x, float y);
/// {x, y, z}
static inline float3 make_float3(float x, float y, float z);
/// {x, y, z, w}
static inline float4 make_float4(float x, float y, float z, float w);
/// {x}
static inline double1 make_double1(double x);
/// {x, y}
static inline double2 make_double2(double x, double y);
/// {x, y, z}
static inline double3 make_double3(double x, double y, double z);
/// {x, y, z, w}
static inline double4 make_double4(double x, double y, double z, double w);
/// The same bits, read as type int.
static inline int __float_as_int(float x);
/// The same bits, read as type unsigned int.
static inline unsigned int __float_as_uint(float x);
/// The same bits, read as type float.
static inline float __int_as_float(int x);
/// The same bits, read as type float.
static inline float __uint_as_float(unsigned int x);
/// The same bits, read as type long long.
static inline long long __double_as_longlong(double x);
/// The same bits, read as type double.
static inline double __longlong_as_double(long long x);
/// c + the dot product of the four bytes of a and b.
static inline int __dp4a(int a, int b, int c);
/// c + the dot product of the two halfwords of a and the two lower bytes of b.
static inline int __dp2a_lo(int a, int b, int c);
/// c + the dot product of the two halfwords of a and the two upper bytes of b.
static inline int __dp2a_hi(int a, int b, int c);
/// c + the dot product of the four bytes of a and b.
static inline int __dp4a(char4 a, char4 b, int c);
/// c + the dot product of the two halfwords of a and the two lower bytes of b.
static inline int __dp2a_lo(short2 a, char4 b, int c);
/// c + the dot product of the two halfwords of a and the two upper bytes of b.
static inline int __dp2a_hi(short2 a, char4 b, int c);
/// c + the dot product of the four bytes of a and b.
static inline unsigned int __dp4a(unsigned int a, unsigned int b, unsigned int c);
/// c + the dot product of the two halfwords of a and the two lower bytes of b.
static inline unsigned int __dp2a_lo(unsigned int a, unsigned int b, unsigned int c);
/// c + the dot product of the two halfwords of a and the two upper bytes of b.
static inline unsigned int __dp2a_hi(unsigned int a, unsigned int b, unsigned int c);
/// c + the dot product of the four bytes of a and b.
static inline unsigned int __dp4a(uchar4 a, uchar4 b, unsigned int c);
/// c + the dot product of the two halfwords of a and the two lower bytes of b.
static inline unsigned int __dp2a_lo(ushort2 a, uchar4 b, unsigned int c);
/// c + the dot product of the two halfwords of a and the two upper bytes of b.
static inline unsigned int __dp2a_hi(ushort2 a, uchar4 b, unsigned int c);

#if __clang_major__ < 17
#include "editor_before_17.h"
#endif

// The SIMD intrinsics: two halfwords or four bytes of a word at once, and the DPX functions.
//
// Included only into sources in which `__v` stands (kernels/worker/compiler.cpp): no other kernel pays for it. Definitions:
// CUDA Math API, "SIMD Intrinsics". x and y are a part of a and of b, as an int; what an expression gives is cut to the part.
#pragma once

#define HISTOLAB_PARTS(name, T, bits, expression)                                                \
  static inline unsigned int name(unsigned int a, unsigned int b) {                              \
    unsigned int r = 0;                                                                          \
    for (int i = 0; i < 32; i += bits) {                                                         \
      const int x = (T)(a >> i), y = (T)(b >> i);                                                \
      r |= ((unsigned int)(expression) & ((1u << bits) - 1u)) << i;                              \
    }                                                                                            \
    return r;                                                                                    \
  }
#define HISTOLAB_PARTS_OF_ONE(name, T, bits, expression)                                         \
  HISTOLAB_PARTS(name##_of_two, T, bits, expression)                                             \
  static inline unsigned int name(unsigned int a) { return name##_of_two(a, 0); }
#define HISTOLAB_SUM_OF_PARTS(name, T, bits)                                                     \
  static inline unsigned int name(unsigned int a, unsigned int b) {                              \
    unsigned int r = 0;                                                                          \
    for (int i = 0; i < 32; i += bits) r += (unsigned int)histolab_distance((T)(a >> i), (T)(b >> i)); \
    return r;                                                                                    \
  }
static inline int histolab_distance(int x, int y) { return x < y ? y - x : x - y; }
static inline int histolab_clamp(int x, int low, int high) { return x < low ? low : x > high ? high : x; }

// Of n parts, signed as S and unsigned as U.
#define HISTOLAB_COMPARE(n, bits, relation, suffix, T)                                           \
  HISTOLAB_PARTS(__vcmp##suffix##n, T, bits, x relation y ? -1 : 0)                              \
  HISTOLAB_PARTS(__vset##suffix##n, T, bits, x relation y ? 1 : 0)
#define HISTOLAB_SIMD(n, bits, S, U)                                                             \
  HISTOLAB_PARTS_OF_ONE(__vabs##n, S, bits, histolab_distance(x, 0))                             \
  HISTOLAB_PARTS_OF_ONE(__vabsss##n, S, bits, histolab_clamp(histolab_distance(x, 0), 0, (1 << (bits - 1)) - 1)) \
  HISTOLAB_PARTS_OF_ONE(__vneg##n, S, bits, -x)                                                  \
  HISTOLAB_PARTS_OF_ONE(__vnegss##n, S, bits, histolab_clamp(-x, -(1 << (bits - 1)), (1 << (bits - 1)) - 1)) \
  HISTOLAB_PARTS(__vadd##n, U, bits, x + y)                                                      \
  HISTOLAB_PARTS(__vaddss##n, S, bits, histolab_clamp(x + y, -(1 << (bits - 1)), (1 << (bits - 1)) - 1)) \
  HISTOLAB_PARTS(__vaddus##n, U, bits, histolab_clamp(x + y, 0, (1 << bits) - 1))                \
  HISTOLAB_PARTS(__vsub##n, U, bits, x - y)                                                      \
  HISTOLAB_PARTS(__vsubss##n, S, bits, histolab_clamp(x - y, -(1 << (bits - 1)), (1 << (bits - 1)) - 1)) \
  HISTOLAB_PARTS(__vsubus##n, U, bits, histolab_clamp(x - y, 0, (1 << bits) - 1))                \
  HISTOLAB_PARTS(__vavgs##n, S, bits, (x + y + (x + y >= 0)) >> 1)                               \
  HISTOLAB_PARTS(__vavgu##n, U, bits, (x + y + 1) >> 1)                                          \
  HISTOLAB_PARTS(__vhaddu##n, U, bits, (x + y) >> 1)                                             \
  HISTOLAB_PARTS(__vabsdiffs##n, S, bits, histolab_distance(x, y))                               \
  HISTOLAB_PARTS(__vabsdiffu##n, U, bits, histolab_distance(x, y))                               \
  HISTOLAB_PARTS(__vmaxs##n, S, bits, x > y ? x : y)                                             \
  HISTOLAB_PARTS(__vmaxu##n, U, bits, x > y ? x : y)                                             \
  HISTOLAB_PARTS(__vmins##n, S, bits, x < y ? x : y)                                             \
  HISTOLAB_PARTS(__vminu##n, U, bits, x < y ? x : y)                                             \
  HISTOLAB_SUM_OF_PARTS(__vsads##n, S, bits)                                                     \
  HISTOLAB_SUM_OF_PARTS(__vsadu##n, U, bits)                                                     \
  HISTOLAB_COMPARE(n, bits, ==, eq, U)                                                           \
  HISTOLAB_COMPARE(n, bits, !=, ne, U)                                                           \
  HISTOLAB_COMPARE(n, bits, >=, ges, S)                                                          \
  HISTOLAB_COMPARE(n, bits, >=, geu, U)                                                          \
  HISTOLAB_COMPARE(n, bits, >, gts, S)                                                           \
  HISTOLAB_COMPARE(n, bits, >, gtu, U)                                                           \
  HISTOLAB_COMPARE(n, bits, <=, les, S)                                                          \
  HISTOLAB_COMPARE(n, bits, <=, leu, U)                                                          \
  HISTOLAB_COMPARE(n, bits, <, lts, S)                                                           \
  HISTOLAB_COMPARE(n, bits, <, ltu, U)
HISTOLAB_SIMD(2, 16, short, unsigned short)
HISTOLAB_SIMD(4, 8, signed char, unsigned char)
#undef HISTOLAB_SIMD
#undef HISTOLAB_COMPARE
#undef HISTOLAB_SUM_OF_PARTS
#undef HISTOLAB_PARTS_OF_ONE
#undef HISTOLAB_PARTS

// ---- DPX: minima and maxima of sums, of whole words and of halfwords --------------------------------------------------
#define HISTOLAB_DPX(which, s2, u2, relation)                                                                  \
  static inline int __vi##which##_s32_relu(int a, int b) { return max(which(a, b), 0); }                                 \
  static inline int __vi##which##3_s32(int a, int b, int c) { return which(which(a, b), c); }                            \
  static inline int __vi##which##3_s32_relu(int a, int b, int c) { return max(__vi##which##3_s32(a, b, c), 0); }         \
  static inline unsigned int __vi##which##3_u32(unsigned int a, unsigned int b, unsigned int c) { return which(which(a, b), c); } \
  static inline int __viadd##which##_s32(int a, int b, int c) { return which(a + b, c); }                                \
  static inline int __viadd##which##_s32_relu(int a, int b, int c) { return max(which(a + b, c), 0); }                   \
  static inline unsigned int __viadd##which##_u32(unsigned int a, unsigned int b, unsigned int c) { return which(a + b, c); } \
  static inline unsigned int __vi##which##_s16x2_relu(unsigned int a, unsigned int b) { return __vmaxs2(s2(a, b), 0); }  \
  static inline unsigned int __vi##which##3_s16x2(unsigned int a, unsigned int b, unsigned int c) { return s2(s2(a, b), c); } \
  static inline unsigned int __vi##which##3_s16x2_relu(unsigned int a, unsigned int b, unsigned int c) { return __vmaxs2(s2(s2(a, b), c), 0); } \
  static inline unsigned int __vi##which##3_u16x2(unsigned int a, unsigned int b, unsigned int c) { return u2(u2(a, b), c); } \
  static inline unsigned int __viadd##which##_s16x2(unsigned int a, unsigned int b, unsigned int c) { return s2(__vadd2(a, b), c); } \
  static inline unsigned int __viadd##which##_s16x2_relu(unsigned int a, unsigned int b, unsigned int c) { return __vmaxs2(s2(__vadd2(a, b), c), 0); } \
  static inline unsigned int __viadd##which##_u16x2(unsigned int a, unsigned int b, unsigned int c) { return u2(__vadd2(a, b), c); } \
  static inline int __vib##which##_s32(int a, int b, bool* taken) { return (*taken = a relation b) ? a : b; }             \
  static inline unsigned int __vib##which##_u32(unsigned int a, unsigned int b, bool* taken) { return (*taken = a relation b) ? a : b; } \
  static inline unsigned int __vib##which##_s16x2(unsigned int a, unsigned int b, bool* high, bool* low) {               \
    *high = (short)(a >> 16) relation (short)(b >> 16), *low = (short)a relation (short)b;                                 \
    return s2(a, b);                                                                                                     \
  }                                                                                                                      \
  static inline unsigned int __vib##which##_u16x2(unsigned int a, unsigned int b, bool* high, bool* low) {               \
    *high = (a >> 16) relation (b >> 16), *low = (a & 0xffffu) relation (b & 0xffffu);                                         \
    return u2(a, b);                                                                                                     \
  }
HISTOLAB_DPX(max, __vmaxs2, __vmaxu2, >=)
HISTOLAB_DPX(min, __vmins2, __vminu2, <=)
#undef HISTOLAB_DPX

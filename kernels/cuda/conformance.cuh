// Common parts of the conformance kernels: per thread, three operands and memory for the results. A
// test replaces the #include by this text (kernels/worker/testing/conformance_model.cpp), because a
// submission is one file.
#pragma once

constexpr unsigned int results = 160;  // words per thread

struct Writer {
  unsigned int* next;
  __device__ void put(unsigned int x) { *next++ = x; }
  __device__ void put(int x) { put((unsigned int)x); }
  __device__ void put(unsigned long long x) {
    put((unsigned int)x);
    put((unsigned int)(x >> 32));
  }
  __device__ void put(long long x) { put((unsigned long long)x); }
  // NaN has many bit patterns, and CUDA does not specify which one results.
  __device__ void put(float x) { put(x == x ? __float_as_uint(x) : 0x7fc00000u); }
  __device__ void put(double x) {
    put(x == x ? (unsigned long long)__double_as_longlong(x) : 0x7ff8000000000000ull);
  }
};

struct Operands {
  unsigned int a, b, c;
  __device__ Operands(const unsigned int* operands, unsigned int n, unsigned int i)
      : a(operands[i % n]), b(operands[(i / n + i * 7) % n]), c(operands[(i * 13 + 5) % n]) {}
};

#define BEGIN_WITH(Writer)                                      \
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x; \
  const Operands of(operands, n, i);                            \
  const unsigned int a = of.a, b = of.b, c = of.c;              \
  Writer w{out + i * results};
#define BEGIN BEGIN_WITH(Writer)

__device__ unsigned long long wide(unsigned int high, unsigned int low) {
  return (unsigned long long)high << 32 | low;
}

// Writes the values in their order. No value may depend on a side effect of another one.
template <class W, class... T>
__device__ void put(W& w, T... values) {
  (w.put(values), ...);
}

// The four rounding modes of one function.
#define FOUR(f) put(w, f##_rn VALUES, f##_rz VALUES, f##_ru VALUES, f##_rd VALUES);

// Each thread updates its own cell. Writes the returned value and the value after the update.
template <class T, class W, class F>
__device__ void updated(W& w, T* cell, T before, F update) {
  *cell = before;
  w.put(update(cell));
  w.put(*cell);
}
#define UPDATE(T, before, call) updated<T>(w, (T*)cell, before, [&](T* p) { return call; });

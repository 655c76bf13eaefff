// Schedules: the elements of a thread and their order.
//
// Each calls visit(i) for its thread's share of 0 .. length - 1. Over the whole grid,
// every i comes once.
#pragma once

namespace histolab::kernels::cuda::lessons {

__device__ inline unsigned thread_number() { return blockIdx.x * blockDim.x + threadIdx.x; }
__device__ inline unsigned thread_count() { return gridDim.x * blockDim.x; }

struct PerElement {
  template <class Visit>
  __device__ static void each(unsigned length, Visit visit) {
    if (thread_number() < length) visit(thread_number());
  }
};

// One contiguous chunk per thread: ceil(length / threads) elements.
struct BlockPartition {
  template <class Visit>
  __device__ static void each(unsigned length, Visit visit) {
    const unsigned chunk = (length + thread_count() - 1) / thread_count();
    const unsigned long long begin = 1ull * thread_number() * chunk;
    const unsigned end = static_cast<unsigned>(min(begin + chunk, 1ull * length));
    for (unsigned i = static_cast<unsigned>(min(begin, 1ull * length)); i < end; ++i) visit(i);
  }
};

struct GridStride {
  template <class Visit>
  __device__ static void each(unsigned length, Visit visit) {
    for (unsigned i = thread_number(); i < length; i += thread_count()) visit(i);
  }
};

// Base of the next three, which have a number of rounds that the compiler knows. place(k) is the
// element of round k; it may be beyond the end.
template <class Place, unsigned rounds>
struct Rounds {
  static constexpr unsigned factor = rounds;
  template <class Visit>
  __device__ static void each(unsigned length, Visit visit) {
    for (unsigned k = 0; k < rounds; ++k)
      if (Place::place(k) < length) visit(Place::place(k));
  }
};

// `factor` neighbours per thread.
template <unsigned factor>
struct Contiguous : Rounds<Contiguous<factor>, factor> {
  __device__ static unsigned place(unsigned k) { return thread_number() * factor + k; }
};

// The elements of GridStride.
template <unsigned factor>
struct Unrolled : Rounds<Unrolled<factor>, factor> {
  __device__ static unsigned place(unsigned k) { return thread_number() + k * thread_count(); }
};

// A block has the same elements as in Contiguous, and its threads take them in turns.
template <unsigned factor>
struct Tile : Rounds<Tile<factor>, factor> {
  __device__ static unsigned place(unsigned k) {
    return (blockIdx.x * factor + k) * blockDim.x + threadIdx.x;
  }
};

}  // namespace histolab::kernels::cuda::lessons

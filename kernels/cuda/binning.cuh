// From a sample to its bin, on the device. `none` is no bin.
//
// `total` says that every sample has a bin, so that nothing needs to be compared. What a binning keeps in shared memory
// it builds in prepare(), which the whole block calls before a barrier.
#pragma once

#include "kernels/cuda/histogram.h"

namespace histolab::kernels::cuda {

inline constexpr unsigned none = 0xffffffff;

// All values of the type, a power of two of bins.
struct ShiftBins {
  static constexpr bool total = true;
  unsigned shift;
  __device__ __forceinline__ void prepare() {}
  __device__ __forceinline__ unsigned operator()(unsigned sample) const { return sample >> shift; }
};

// Even bins of any range: (s - lower) * count / span, rounded down, without a division: floor(d * m / 2^k) with m = ceil(count * 2^k /
// span) is exact as long as d * span < 2^k. k is 32 where a range has at most 2^16 values, else 64.
template <bool wide>
struct ScaledBins {
  static constexpr bool total = false;
  unsigned lower, last;      // d = s - lower is in range up to `last`
  unsigned long long scale;  // m
  __device__ __forceinline__ void prepare() {}
  __device__ __forceinline__ unsigned operator()(unsigned sample) const {
    const unsigned d = sample - lower;
    const unsigned bin = wide ? static_cast<unsigned>(__umul64hi(d, scale)) : static_cast<unsigned>((d * scale) >> 32);
    return d <= last ? bin : none;
  }
};

// The same, slowly and from the definition; for the few values that a fold or a reference asks for.
__host__ __device__ inline unsigned bin_by_definition(const Bins& bins, std::uint64_t sample) {
  if (bins.levels == nullptr) {
    if (sample < bins.lower || sample >= bins.upper) return none;
    return static_cast<unsigned>((sample - bins.lower) * bins.count / (bins.upper - bins.lower));
  }
  if (sample < bins.levels[0] || sample >= bins.levels[bins.count]) return none;
  unsigned low = 0, high = bins.count;  // levels[low] <= sample < levels[high]
  while (high - low > 1) {
    const unsigned middle = (low + high) / 2;
    (bins.levels[middle] <= sample ? low : high) = middle;
  }
  return low;
}

// Uneven bins: a table tells for each of 4096 equal pieces of the range the first and the last bin that it touches; only where they
// differ is the rest searched, in shared memory if the levels fit there.
struct TableBins {
  static constexpr bool total = false;
  static constexpr unsigned log_pieces = 12, table_words = 1u << log_pieces;
  Bins bins;
  bool keep_levels;              // whether shared memory has room for them
  unsigned* table;               // shared: first | last << 16
  unsigned* shared_levels;       // shared, after the table
  const unsigned* levels;        // where the search looks
  unsigned lower, last, shift;
  // Shared memory: the table, then the levels if `keep_levels`.
  static unsigned shared_words(unsigned count, bool keep_levels) { return table_words + (keep_levels ? (count + 4) / 4 * 4 : 0); }

  __device__ __forceinline__ void prepare() {
    lower = bins.levels[0];
    const unsigned end = bins.levels[bins.count];
    last = end - lower - 1;  // wraps if there is no value at all: see below
    shift = max(0, 32 - static_cast<int>(log_pieces) - __clz(static_cast<int>(last)));
    levels = bins.levels;
    if (keep_levels) {
      for (unsigned i = threadIdx.x; i <= bins.count; i += blockDim.x) shared_levels[i] = bins.levels[i];
      levels = shared_levels;
      __syncthreads();
    }
    if (end == lower) {  // no value has a bin
      last = 0, lower = end;
      shift = 31;
    }
    for (unsigned piece = threadIdx.x; piece < table_words; piece += blockDim.x) {
      const std::uint64_t start = static_cast<std::uint64_t>(piece) << shift, next = start + (1ull << shift) - 1;
      const unsigned from = static_cast<unsigned>(start < last ? start : last), to = static_cast<unsigned>(next < last ? next : last);
      table[piece] = search(lower + from, 0, bins.count - 1) | search(lower + to, 0, bins.count - 1) << 16;
    }
  }
  // The last bin of first..last that begins at or below the sample.
  __device__ __forceinline__ unsigned search(unsigned sample, unsigned first_bin, unsigned last_bin) const {
    while (first_bin < last_bin) {
      const unsigned middle = (first_bin + last_bin + 1) / 2;
      if (levels[middle] <= sample)
        first_bin = middle;
      else
        last_bin = middle - 1;
    }
    return first_bin;
  }
  __device__ __forceinline__ unsigned operator()(unsigned sample) const {
    const unsigned d = sample - lower;
    if (d > last) return none;
    const unsigned entry = table[d >> shift];
    return search(sample, entry & 0xffff, entry >> 16);
  }
};

}  // namespace histolab::kernels::cuda

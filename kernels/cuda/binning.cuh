// Binnings: function objects that return a sample's bin, on the device. For a sample without a
// bin they return a number >= the number of bins, such as `none`. `total` means that every
// sample has a bin. The whole block calls prepare() before a barrier; it builds the binning's
// data in shared memory.
#pragma once

#include <bit>

#include "kernels/cuda/bin_by_definition.h"
#include "kernels/cuda/histogram.h"
#include "kernels/cuda/plan.h"

namespace histolab::kernels::cuda {

// Returns the first value of bin `bin`, or the end of the last bin if bin == count.
__device__ inline std::uint64_t begin_of(const Bins& bins, std::uint64_t bin) {
  if (bins.levels != nullptr) return bins.levels[bin];
  return bins.lower + (bin * (bins.upper - bins.lower) + bins.count - 1) / bins.count;
}

// Bins for all values of the type; the number of bins is a power of two.
struct ShiftBins {
  static constexpr bool total = true, own_bins_only = false;
  unsigned shift, mask;  // mask = bins - 1
  __device__ __forceinline__ void prepare(unsigned, unsigned) {}
  __device__ __forceinline__ unsigned operator()(unsigned sample) const { return sample >> shift; }
  // For the two 16-bit samples of a word. This saves the instruction that would extract them first.
  __device__ __forceinline__ unsigned of_low_half(unsigned word) const {
    return word >> shift & mask;
  }
  __device__ __forceinline__ unsigned of_high_half(unsigned word) const {
    return word >> (16 + shift);
  }
};
inline ShiftBins shift_bins(unsigned bins, unsigned sample_bits) {
  return {sample_bits - static_cast<unsigned>(std::countr_zero(bins)), bins - 1};
}

// Even bins of any range: computes d * count / span, rounded down, for d = sample - lower, without
// a division. floor(d * m / 2^k) with m = ceil(count * 2^k / span) is exact if d * span < 2^k
// (Granlund and Montgomery 1994).
//   <16>  16-bit samples, count < span: k = 32, m has 32 bits
//   <32>  32-bit samples, count < span: k = 64, m has 64 bits
//   <64>  count >= span, so d and span have 16 bits: k = 32, m has 48 bits
template <unsigned bits>
struct ProductBins {
  static constexpr bool total = false, own_bins_only = false;
  unsigned lower, last;  // d is in range up to `last`
  unsigned long long m;
  explicit ProductBins(const Bins& even)
      : lower(static_cast<unsigned>(even.lower)),
        last(static_cast<unsigned>(even.upper - even.lower - 1)) {
    const unsigned long long span = even.upper - even.lower, bins = even.count;
    if constexpr (bits == 32) {
      // 2^64 * count in two steps: quotient and remainder of 2^32 * count first.
      const unsigned long long high = (bins << 32) / span, rest = (bins << 32) % span;
      m = (high << 32) + ((rest << 32) + span - 1) / span;
    } else {
      m = ((bins << 32) + span - 1) / span;
    }
  }
  __device__ __forceinline__ void prepare(unsigned, unsigned) {}
  // The product grows with d. So if d is beyond the range, the bin is beyond the last one, without
  // a comparison.
  __device__ __forceinline__ unsigned operator()(unsigned sample) const {
    const unsigned d = sample - lower;
    if constexpr (bits == 16) return __umulhi(d, static_cast<unsigned>(m));
    if constexpr (bits == 32) return static_cast<unsigned>(__umul64hi(d, m));
    return d <= last ? static_cast<unsigned>((d * m) >> 32) : none;
  }
};

// Returns the bin by its definition. `lanes` neighbouring lanes (a power of two) search together
// and read as many levels at once. The reason: each read waits for memory, and the log2(257) = 8
// reads of a binary search take 4 us. Full warps must call it.
template <unsigned lanes>
__device__ __forceinline__ unsigned bin_by_lanes(const Bins& bins, unsigned sample) {
  if (bins.levels == nullptr) return bin_by_definition(bins, sample);
  const unsigned lane = threadIdx.x % lanes, group = threadIdx.x % 32 / lanes * lanes;
  const std::uint32_t first = bins.levels[0], end = bins.levels[bins.count];
  unsigned low = 0,
           high = bins.count;  // levels[low] <= sample < levels[high], if the sample has a bin
  while (__any_sync(0xffffffffu, high - low > 1)) {
    const unsigned step = (high - low + lanes) / (lanes + 1), at = low + (lane + 1) * step;
    const bool reached = at < high && bins.levels[at] <= sample;
    const unsigned reached_by =
        __ballot_sync(0xffffffffu, reached) >> group & ((1ull << lanes) - 1);
    low += __popc(reached_by) * step;
    high = min(high, low + step);
  }
  return sample >= first && sample < end ? low : none;
}

// Advances bin[i], which must not be beyond the sample's bin, to the sample's bin, by at most 2 *
// first_step - 1 bins. There are count + 1 levels; with `gaps`, with_gaps() gives their positions
// (plan.h). Several samples are searched at once, so that their look-ups overlap.
template <bool gaps, unsigned n>
__device__ __forceinline__ void search_on(const unsigned* levels, unsigned count,
                                          unsigned first_step, const unsigned (&sample)[n],
                                          unsigned (&bin)[n]) {
  for (unsigned step = first_step; step > 0; step /= 2) {
#pragma unroll
    for (unsigned i = 0; i < n; ++i) {
      const unsigned further = bin[i] + step;
      if (further < count && levels[gaps ? with_gaps(further) : further] <= sample[i])
        bin[i] = further;
    }
  }
}

// Calls put(position, range) for every position in 0 .. positions - 1 that is in the range
// begin(range) .. begin(range + 1) - 1. The begins must be ascending. Each warp takes a slice of
// the positions, finds its first range and advances by 32 ranges at a time. One lane fills a short
// range, all lanes fill a long one.
template <class Begin, class Put>
__device__ __forceinline__ void fill_ranges(unsigned positions, unsigned ranges, Begin begin,
                                            Put put) {
  const unsigned lane = threadIdx.x % 32, slice = positions / (blockDim.x / 32),
                 from = threadIdx.x / 32 * slice, to = from + slice;
  unsigned first = 0;
  for (unsigned high = ranges; first < high;) {
    const unsigned middle = (first + high + 1) / 2;
    if (begin(middle) <= from)
      first = middle;
    else
      high = middle - 1;
  }
  for (; first < ranges; first += 32) {
    const unsigned range = first + lane;
    const unsigned low = max(range < ranges ? begin(range) : to, from),
                   high = min(range < ranges ? begin(range + 1) : to, to);
    const bool is_long = high > low + 32;
    if (!is_long)
      for (unsigned position = low; position < high; ++position) put(position, range);
    for (unsigned some = __ballot_sync(0xffffffffu, is_long); some != 0; some &= some - 1) {
      const int whose = __ffs(static_cast<int>(some)) - 1;
      const unsigned end = __shfl_sync(0xffffffffu, high, whose),
                     of = __shfl_sync(0xffffffffu, range, whose);
      for (unsigned position = __shfl_sync(0xffffffffu, low, whose) + lane; position < end;
           position += 32)
        put(position, of);
    }
    if (__shfl_sync(0xffffffffu, low, 31) >= to) return;
  }
}

// Uneven bins, few samples: searches in a copy of the levels in shared memory.
struct SearchBins {
  static constexpr bool total = false, own_bins_only = false;
  Bins bins;
  unsigned* table;  // shared

  [[nodiscard]] unsigned words(unsigned) const { return search_words(bins.count); }

  __device__ __forceinline__ void prepare(unsigned, unsigned) {
    for (unsigned i = threadIdx.x; i <= bins.count; i += blockDim.x)
      table[with_gaps(i)] = bins.levels[i];
  }
  template <unsigned n>
  __device__ __forceinline__ void find(const unsigned (&sample)[n], unsigned (&bin)[n]) const {
#pragma unroll
    for (unsigned i = 0; i < n; ++i) bin[i] = 0;
    search_on<true>(table, bins.count, 1u << (31 - __clz(static_cast<int>(bins.count))), sample,
                    bin);
#pragma unroll
    for (unsigned i = 0; i < n; ++i)
      bin[i] = sample[i] >= table[0] && sample[i] < table[with_gaps(bins.count)] ? bin[i] : none;
  }
  __device__ __forceinline__ unsigned operator()(unsigned sample) const {
    const unsigned one[1] = {sample};
    unsigned bin[1];
    find(one, bin);
    return bin[0];
  }
};

// Uneven bins, 16-bit samples: a table with the bin of every value, two per word. For fewer than
// 65 535 bins.
struct LookupBins {
  static constexpr bool total = false, own_bins_only = false;
  Bins bins;
  unsigned* table;  // shared

  [[nodiscard]] unsigned words(unsigned) const { return lookup_words; }

  __device__ __forceinline__ void prepare(unsigned, unsigned) {
    for (unsigned word = threadIdx.x * 4; word < lookup_words; word += blockDim.x * 4)
      *reinterpret_cast<uint4*>(table + word) = uint4{none, none, none, none};
    __syncthreads();
    std::uint16_t* const bin_of = reinterpret_cast<std::uint16_t*>(table);
    fill_ranges(
        2 * lookup_words, bins.count,
        [&](unsigned bin) { return min(bins.levels[bin], 2 * lookup_words); },
        [&](unsigned value, unsigned bin) { bin_of[value] = static_cast<std::uint16_t>(bin); });
  }

  __device__ __forceinline__ unsigned operator()(unsigned value) const {
    return reinterpret_cast<const std::uint16_t*>(table)[value];
  }
  __device__ __forceinline__ unsigned of_low_half(unsigned word) const {
    return (*this)(word & 0xffff);
  }
  __device__ __forceinline__ unsigned of_high_half(unsigned word) const {
    return (*this)(word >> 16);
  }
};

// Uneven bins, in most cases with one look-up and no comparison.
//
// The range is divided into 2^log_pieces equal pieces of 2^shift values. If a piece contains at
// most one level, its entry is (first bin << shift) + (2^shift - the level's offset in the piece).
// Adding the sample's offset in the piece carries into the bin exactly if the sample is at or above
// the level. Other pieces are marked. For these, the remaining levels are searched in the copy in
// shared memory.
struct TableBins {
  static constexpr bool total = false, own_bins_only = true;
  static constexpr unsigned marked = 0x80000000u;
  Bins bins;
  unsigned log_pieces;
  unsigned* table;  // shared: pieces, one word for the longest search, levels
  const unsigned* levels;
  // d = sample - lower is in range if it is below `values`, that is up to `last`. Its piece is
  // d >> shift.
  unsigned lower, values, last, shift;
  // shift and 2^shift - 1; both 0 if an entry has no room for an offset next to the bin.
  unsigned entry_shift, place_mask;
  unsigned first_step;  // of the longest search

  [[nodiscard]] unsigned words(unsigned part_bins) const {
    return table_words(log_pieces, part_bins);
  }

  // Prepares `part_bins` bins from `first_bin` on, or fewer if there are fewer. Afterwards bins are
  // numbered from first_bin.
  __device__ __forceinline__ void prepare(unsigned first_bin, unsigned part_bins) {
    first_bin = min(first_bin, bins.count);
    bins.levels += first_bin;
    bins.count = min(part_bins, bins.count - first_bin);
    const unsigned pieces = 1u << log_pieces;
    unsigned* const longest = table + pieces;
    if (threadIdx.x == 0) *longest = 0;
    levels = table + pieces + 4;
    for (unsigned i = threadIdx.x; i <= bins.count; i += blockDim.x)
      table[pieces + 4 + i] = bins.levels[i];
    __syncthreads();
    lower = levels[0];
    values = levels[bins.count] - lower;
    last = max(values, 1u) - 1;  // values is 0 if no value has a bin, or this part has no bins
    shift = max(0, 32 - static_cast<int>(log_pieces) - __clz(static_cast<int>(last)));
    const unsigned bin_bits = 32 - __clz(static_cast<int>(bins.count));
    const bool places = bin_bits + shift <= 31;
    entry_shift = places ? shift : 0;
    place_mask = places ? (1u << shift) - 1 : 0;

    // First store the bin at the beginning of each piece. Then add the levels inside pieces, alone
    // or not.
    const auto first_piece_from = [&](unsigned level) {
      return static_cast<unsigned>((std::uint64_t{levels[level] - lower} + (1ull << shift) - 1) >>
                                   shift);
    };
    fill_ranges(pieces, bins.count, first_piece_from,
                [&](unsigned piece, unsigned bin) { table[piece] = bin << entry_shift; });
    __syncthreads();
    const unsigned inside = (1u << shift) - 1;
    for (unsigned level = 1 + threadIdx.x; level < bins.count; level += blockDim.x) {
      const unsigned d = levels[level] - lower, piece = d >> shift;
      if ((d & inside) == 0 || d > last) continue;
      const unsigned entry = table[piece],
                     first = (entry & marked) != 0 ? entry & ~marked : entry >> entry_shift;
      const bool alone = level == first + 1 &&
                         (level + 1 == bins.count || (levels[level + 1] - lower) >> shift != piece);
      if (places && alone) {
        table[piece] = entry + (1u << shift) - (d & inside);
      } else {
        table[piece] = marked | first;  // every level of the piece writes the same value
        atomicMax(longest, level - first);
      }
    }
    __syncthreads();
    first_step = *longest == 0 ? 0 : 1u << (31 - __clz(static_cast<int>(*longest)));
  }
  // Finds several bins at once, so that the look-ups overlap.
  template <unsigned n>
  __device__ __forceinline__ void find(const unsigned (&sample)[n], unsigned (&bin)[n]) const {
    unsigned d[n], all = 0;
#pragma unroll
    for (unsigned i = 0; i < n; ++i) {
      d[i] = sample[i] - lower;
      const unsigned entry = table[min(d[i], last) >> shift];
      all |= entry;
      bin[i] = (entry & marked) != 0 ? entry : (entry + (d[i] & place_mask)) >> entry_shift;
    }
    if ((all & marked) != 0) {  // marked samples advance from the first bin of their piece
#pragma unroll
      for (unsigned i = 0; i < n; ++i) bin[i] &= ~marked;
      search_on<false>(levels, bins.count, first_step, sample, bin);
    }
#pragma unroll
    for (unsigned i = 0; i < n; ++i) bin[i] = d[i] < values ? bin[i] : none;
  }
  __device__ __forceinline__ unsigned operator()(unsigned sample) const {
    const unsigned one[1] = {sample};
    unsigned bin[1];
    find(one, bin);
    return bin[0];
  }
};

}  // namespace histolab::kernels::cuda

// Selects the fastest strategy for a problem, on the host and from numbers alone. The measured
// speed and the limits of each strategy are in docs/measurements/h200-bench.json.
#pragma once

#include <string_view>

#include "kernels/cuda/histogram.h"

namespace histolab::kernels::cuda {

enum class Strategy {
  // One-byte samples: counts 256 values, with one bank per lane, and folds them into
  // bins at the end.
  byte_values,
  // Each block has a table with as many copies as fit, up to one per lane.
  copies,
  // More bins than words of a block: several blocks read the same samples, each for a
  // part of the bins.
  parts,
  // 16-bit samples: counts all 65 536 values in parts. A second kernel folds them into the bins.
  values_then_fold,
  // Few samples in many even bins: counts in the results in global memory, with a
  // cache for hot bins.
  direct,
};
[[nodiscard]] std::string_view name_of(Strategy strategy);

// The method to find a sample's bin.
enum class Binner {
  shift,    // the whole range of the type, and the number of bins is a power of two
  product,  // even bins of any range: multiplies by a reciprocal
  table,    // uneven bins: a table of pieces of the range, and a search inside ambiguous pieces
  search,   // uneven bins, few samples: a search in all levels
  lookup,   // uneven bins, 16-bit samples: a table with the bins of all values
};

// The order in which blocks read the samples.
enum class Walk {
  sweep,   // one range per block, then tickets (sweep.cuh)
  stride,  // few samples: blocks take rounds in turns (stride.cuh)
};

struct Plan {
  Strategy strategy = Strategy::copies;
  Binner binner = Binner::shift;
  unsigned bins = 0, part_bins = 0, parts = 1;
  unsigned log_copies = 0;
  bool hashed = false;
  unsigned log_pieces = 0;         // of the table
  unsigned least_bytes = 1 << 16;  // a block with fewer bytes is not worth its counters
  Walk walk = Walk::sweep;
};

struct Chip {
  unsigned multiprocessors, shared_bytes;  // shared_bytes: the largest shared memory of a block
};
// Bytes of shared memory that a kernel needs in addition to the plan's words, for its own
// variables (sweep.cuh).
inline constexpr unsigned own_shared_bytes = 64;

// Returns the number of bytes that a sweep of `bytes` bytes distributes in tickets.
[[nodiscard]] std::size_t dealt_in_tickets(std::size_t bytes, const Chip& chip);
// Returns Walk::stride if a sweep would distribute all bytes in tickets; a stride is then faster.
[[nodiscard]] Walk choose_walk(std::size_t bytes, const Chip& chip);
inline constexpr unsigned stride_bytes = 8192;  // fewest bytes per block of a stride
// Returns the number of blocks of a stride. Up to twice `least_bytes`, it is one block, which
// assigns its counts and needs no zeros. Otherwise it is up to one block per multiprocessor, with
// at least `least_bytes` each, and then up to a second one, with at least twice as many bytes each.
[[nodiscard]] unsigned stride_blocks(std::size_t bytes, unsigned least_bytes, const Chip& chip);
// Returns true if a stride has several blocks with less than twice `least_bytes` each. A round must
// then not be longer than `least_bytes`: blocks take rounds in turns, and some would have none.
[[nodiscard]] bool has_short_shares(std::size_t bytes, unsigned least_bytes, const Chip& chip);

// Returns the plan for `length` samples. The preparation of a block should not cost more than
// counting its share of the samples.
[[nodiscard]] Plan choose(SampleType type, const Bins& bins, std::size_t length, const Chip& chip);

// Returns the words of shared memory that the plan needs.
[[nodiscard]] unsigned words_of(const Plan& plan);
inline constexpr unsigned lookup_words = 32768;
// The counters' part: whole groups of 32 bins, which the hash permutes, and at least one more word
// for samples without a bin.
[[nodiscard]] constexpr unsigned counter_words(unsigned bins, unsigned log_copies) {
  return (bins + 32) / 32 * 32 << log_copies;
}
// The part for a copy of the levels, and the part for a table of pieces with the levels.
[[nodiscard]] constexpr unsigned level_words(unsigned bins) { return (bins + 4) / 4 * 4; }
[[nodiscard]] constexpr unsigned table_words(unsigned log_pieces, unsigned bins) {
  return (1u << log_pieces) + 4 + level_words(bins);
}
// The same for a search in all levels, with a gap after each 32 levels. Without gaps, the first
// levels of the search, which are powers of two apart, would all be in one bank. (A table's
// searches are short. Gaps would cost 15 % there.)
[[nodiscard]] __host__ __device__ constexpr unsigned with_gaps(unsigned level) {
  return level + level / 32;
}
[[nodiscard]] constexpr unsigned search_words(unsigned bins) {
  return level_words(with_gaps(bins));
}

}  // namespace histolab::kernels::cuda

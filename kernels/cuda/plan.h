// Which strategy counts a problem fastest: a choice on the host, from numbers alone.
//
// The measured speed of each strategy, and its limits, are in docs/measurements/h200-bench.json.
#pragma once

#include <string_view>

#include "kernels/cuda/histogram.h"

namespace histolab::kernels::cuda {

enum class Strategy {
  byte_values,  // one-byte samples: 256 values in banks that a lane owns, folded into the bins at the end
  copies,       // a table of each block with as many copies as fit, up to one for each lane
  parts,        // more bins than a block has words for: several blocks read the same samples, each for a part of them
  values_then_fold,  // 16-bit samples: all 65 536 values in parts, then folded into the bins by a second kernel
  direct,  // few samples in many even bins: into the results in global memory, those of hot bins by way of a cache
};
[[nodiscard]] std::string_view name_of(Strategy strategy);

// How a sample's bin is found.
enum class Binner {
  shift,    // the whole range of the type, a power of two of bins
  product,  // even bins of any range: a multiplication by a reciprocal
  table,    // uneven bins: a table of pieces of the range, and a search in what is left
  search,   // uneven bins of few samples: a search in all levels
  lookup,   // uneven bins of 16-bit samples: a table of the bins of all values
};

// How blocks walk over the samples.
enum class Walk {
  sweep,   // ranges of their own and tickets (sweep.cuh)
  stride,  // few samples: rounds in turns (stride.cuh)
};

struct Plan {
  Strategy strategy = Strategy::copies;
  Binner binner = Binner::shift;
  unsigned bins = 0, part_bins = 0, parts = 1;
  unsigned log_copies = 0;
  bool hashed = false;
  unsigned log_pieces = 0;         // of the table
  unsigned least_bytes = 1 << 16;  // of samples that are worth a block, which clears and adds up counters
  Walk walk = Walk::sweep;
};

struct Chip {
  unsigned multiprocessors, shared_bytes;  // of shared memory: what a block may ask for at most
};
// Bytes of shared memory that a kernel needs in addition to a plan's words, for variables of its
// own (sweep.cuh).
inline constexpr unsigned own_shared_bytes = 64;

// How many bytes of `bytes` a sweep deals in tickets, and whether that is all, so that a stride does better.
[[nodiscard]] std::size_t dealt_in_tickets(std::size_t bytes, const Chip& chip);
[[nodiscard]] Walk choose_walk(std::size_t bytes, const Chip& chip);
inline constexpr unsigned stride_bytes = 8192;  // that are worth a block of a stride
// The blocks of a stride: one for twice `least_bytes`, because it assigns its counts and needs no zeros; else one on each
// multiprocessor with `least_bytes` or more, and then a second one on each with twice as much.
[[nodiscard]] unsigned stride_blocks(std::size_t bytes, unsigned least_bytes, const Chip& chip);
// Whether there are several, each with less than twice `least_bytes`. Its rounds must not be longer than `least_bytes`
// then: blocks take rounds in turns, and some would have none.
[[nodiscard]] bool has_short_shares(std::size_t bytes, unsigned least_bytes, const Chip& chip);

// For `length` samples: the preparation of a block must not cost more than its share of them.
[[nodiscard]] Plan choose(SampleType type, const Bins& bins, std::size_t length, const Chip& chip);

// The words of shared memory that the plan asks for.
[[nodiscard]] unsigned words_of(const Plan& plan);
inline constexpr unsigned lookup_words = 32768;
// The counters' part of it: whole groups of 32 bins, which the hash permutes, and at least one more
// for samples without a bin.
[[nodiscard]] constexpr unsigned counter_words(unsigned bins, unsigned log_copies) {
  return (bins + 32) / 32 * 32 << log_copies;
}
// The part for a copy of the levels, and the part for a table of pieces with the levels.
[[nodiscard]] constexpr unsigned level_words(unsigned bins) { return (bins + 4) / 4 * 4; }
[[nodiscard]] constexpr unsigned table_words(unsigned log_pieces, unsigned bins) {
  return (1u << log_pieces) + 4 + level_words(bins);
}
// The same for a search in all levels: it first looks at levels that are powers of two apart, which would all be in one bank,
// so there is a gap after each 32. (A table's searches are short: there the gaps cost 15 %.)
[[nodiscard]] __host__ __device__ constexpr unsigned with_gaps(unsigned level) { return level + level / 32; }
[[nodiscard]] constexpr unsigned search_words(unsigned bins) { return level_words(with_gaps(bins)); }

}  // namespace histolab::kernels::cuda

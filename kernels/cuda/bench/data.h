// Data for the benchmark, made on the GPU: a pure function of (name, problem, length, seed).
#pragma once

#include <string>
#include <vector>

#include "kernels/cuda/histogram.h"

namespace histolab::kernels::cuda::bench {

// One-byte samples are the project's datasets (datasets/generators.h): the first 2^24 bytes,
// repeated. `sorted` is stretched instead: each byte is repeated length / 2^24 times, so the data
// stays sorted. Additional datasets:
//   adversary   16 bytes of one value, then of the next; 8 values that are 32 apart, in turn
//   edges       the bytes next to the borders of the letter groups
//   hot:P       only on request, and not in uneven bins: P percent (datasets/datasets.h) of the
//               samples are 109 (m), the others any letter (letter bins) or any of the 256 values
//               (even bins)
// The list does not contain hot:P.
[[nodiscard]] const std::vector<std::string>& byte_datasets();
// 16- and 32-bit samples are drawn by bin, so a name has the same meaning for any bins. Inside its
// bin, a sample has any value.
//   uniform     all bins equally likely
//   zipf        the bin of rank k has a probability proportional to k^-1.2; ranks are scattered
//   constant    one value
//   two-bins    two bins, equally likely, 32 apart if possible: one bank of a plain table
//   runs        runs of one bin, geometric with mean 2048; a new run every 65 536 samples, because
//               one thread makes that many
//   sorted      ascending, evenly over the range
//   adversary   16 bytes of one bin, the next 16 bytes 32 bins further on, and so on cyclically: a
//               whole warp in one bank of a plain table
[[nodiscard]] const std::vector<std::string>& wide_datasets();

// Throws std::runtime_error if a name begins with "hot:" and the rest is not a percentage.
void check_hot(const std::string& name);

// Returns the bytes that one-byte samples repeat, on the host. `even` means even bins. The result
// is not longer than `length`, except for the short patterns. Throws std::runtime_error if the
// dataset is unknown.
[[nodiscard]] std::vector<std::uint8_t> pattern_of(const std::string& name, bool even,
                                                   std::size_t length, std::uint64_t seed);

// Fills problem.samples with problem.length samples. Throws std::runtime_error if the
// dataset is unknown.
void make_data(const std::string& name, const Problem& problem, std::uint64_t seed,
               cudaStream_t stream);

}  // namespace histolab::kernels::cuda::bench

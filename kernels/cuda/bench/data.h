// Data for the benchmark, made on the GPU: a pure function of (name, problem, length, seed).
//
// 16- and 32-bit samples are drawn by bin, so that the same names mean the same thing for any bins; inside its bin a
// sample is anywhere:
//   uniform     each bin with equal chance
//   zipf        bin of rank k with a chance proportional to k^-1.2; ranks are scattered over the bins
//   constant    one value
//   two-bins    two bins, each with equal chance, 32 apart where there are so many: one bank of a plain table
//   runs        runs of one bin, geometric with mean 2048, and a new run every 65 536 samples (which one thread makes)
//   sorted      ascending, evenly over the range
//   adversary   16 bytes of one bin, the next 16 bytes 32 bins further on, around: a warp in one bank of a plain table
// One-byte samples are the project's own datasets (datasets/generators.h): the first 2^24 bytes, repeated; `sorted` is
// stretched instead, each byte repeated length / 2^24 times, so that it is sorted. `adversary` is 16 bytes of one
// value, 8 values 32 apart in turn; `edges` the bytes next to the borders of the letter groups. hot:P (P percent, as in
// datasets/datasets.h) is for the layouts letters and even only, and only where it is asked for: 109 (m) for P percent of
// the samples; any letter otherwise where letters are counted, any of the 256 values in even bins.
#pragma once

#include <string>
#include <vector>

#include "kernels/cuda/histogram.h"

namespace histolab::kernels::cuda::bench {

[[nodiscard]] const std::vector<std::string>& byte_datasets();  // hot:P is not among them
[[nodiscard]] const std::vector<std::string>& wide_datasets();

// Throws std::runtime_error if a name begins with "hot:" and the rest is not a percentage.
void check_hot(const std::string& name);

// The bytes that one-byte samples repeat, on the host; `even`: in even bins. Not longer than
// `length`, but for the short patterns.
// std::runtime_error: no such dataset.
[[nodiscard]] std::vector<std::uint8_t> pattern_of(const std::string& name, bool even, std::size_t length,
                                                   std::uint64_t seed);

// Fills problem.samples (problem.length of them).
// std::runtime_error: no such dataset.
void make_data(const std::string& name, const Problem& problem, std::uint64_t seed, cudaStream_t stream);

}  // namespace histolab::kernels::cuda::bench

// CUB's DeviceHistogram on the same problems: the baseline of the benchmark.
//
// Counters are 32 bits, which CUB is tuned for. Levels are of the type with which it is fastest and right: int for
// 8-bit samples, which it counts by value first; float for 16-bit ones (24 bits of a float hold them; with int it
// divides 64-bit integers for each sample); and for 32-bit ones double or 64-bit integers, as asked.
#pragma once

#include "kernels/cuda/histogram.h"

namespace histolab::kernels::cuda {

enum class CubLevels { floating, integer };

// As every CUB call: with storage == nullptr only *storage_bytes is written. Lengths below 2^31. For uneven bins
// `problem.bins.levels` are the levels (32-bit, integer).
void cub_histogram(const Problem& problem, CubLevels levels, std::uint32_t* histogram, void* storage,
                   std::size_t* storage_bytes, cudaStream_t stream);

}  // namespace histolab::kernels::cuda

// CUB's DeviceHistogram on the same problems: the baseline of the benchmark.
//
// Counters have 32 bits, for which CUB is tuned. Levels have the type with which CUB is fastest and
// still exact: cub_histogram() lists them.
#pragma once

#include "kernels/cuda/histogram.h"

namespace histolab::kernels::cuda {

enum class CubLevels { floating, integer };

// Like every CUB call: with storage == nullptr it only writes *storage_bytes. Lengths must be below
// 2^31. For uneven bins, `problem.bins.levels` are the levels (32-bit integers). For even bins:
//  - 8-bit samples use int levels, because CUB counts by value first.
//  - 16-bit samples use float levels, which are exact. With int, CUB divides 64-bit integers for
//    each sample.
//  - 32-bit samples use double or 64-bit integers, as given by `levels`.
void cub_histogram(const Problem& problem, CubLevels levels, std::uint32_t* histogram,
                   void* storage, std::size_t* storage_bytes, cudaStream_t stream);

}  // namespace histolab::kernels::cuda

// The elements of a launch and their true histogram. Elements are made on the host and repeated on
// the GPU.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "kernels/cuda/lessons/kernels.h"
#include "kernels/gpu/runtime.h"

namespace histolab::kernels::cuda::lessons {

inline constexpr unsigned tile_length = 1u << 24;

// The first 2^24 bytes of a dataset's generator in datasets/; each byte is an element. They are
// repeated up to the length. So the true histogram is the host's count of them, times the
// repetitions. `sorted` is stretched instead: each byte comes length / 2^24 times in a row, so the
// whole stays sorted.
//   letters       the key is the byte, in an element of any width
//   leading_bits  the byte is the leading byte of the key. In `bytes` (called `uniform`) and in
//                 `zipf`, the bits below it are random, so that all bins of a byte are used. In
//                 other datasets they are zero, so there are only as many bins as different bytes.
// A record of 16 bytes has three random words and a fourth word such that the XOR of
// all is the key.
class Tile {
 public:
  // Throws std::runtime_error if the dataset is unknown.
  Tile(const std::string& dataset, Binning binning);

  // Fills `data` with work.length elements, which must be a multiple of 2^24.
  void fill(const Work& work, void* data) const;
  // Returns the true histogram of these elements, one count per bin.
  [[nodiscard]] std::vector<unsigned> histogram(const Work& work) const;

 private:
  Binning binning_;
  bool stretched_;
  // Keys of 32 bits. A narrower element has the leading bits; a letter is in the lowest byte.
  std::vector<std::uint32_t> keys_;
  gpu::DeviceMemory on_gpu_;
};

}  // namespace histolab::kernels::cuda::lessons

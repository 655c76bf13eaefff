// The elements, made on the host and repeated on the GPU, and the histogram that they have.
//
// The bytes of a dataset are the first 2^24 of its generator in datasets/, each of them an element; they repeat until the length is
// reached, so the true histogram is the host's count of them times the repetitions. `sorted` is stretched instead: each byte
// comes length / 2^24 times in a row, so that the whole is sorted.
//   letters       the key is the byte, in an element of any width
//   leading_bits  the byte is the leading byte of the key. Below it are random bits in `bytes` (called `uniform` here) and `zipf`, so that
//                 each of a byte's bins gets its share; zeros in all others, which have as few bins as they have bytes
// A record of 16 bytes has three random words and a fourth that makes the XOR of the four the key.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "kernels/cuda/lessons/kernels.h"
#include "kernels/gpu/runtime.h"

namespace histolab::kernels::cuda::lessons {

inline constexpr unsigned tile_length = 1u << 24;

class Tile {
 public:
  // std::runtime_error: there is no such dataset.
  Tile(const std::string& dataset, Binning binning);

  // Fills work.data with work.length elements, a multiple of 2^24.
  void fill(const Work& work, void* data) const;
  // The true histogram of that, on the host.
  [[nodiscard]] std::vector<unsigned> histogram(const Work& work) const;

 private:
  Binning binning_;
  bool stretched_;
  std::vector<std::uint32_t>
      keys_;  // of 32 bits; a narrower element has the leading ones, a letter is in the lowest byte
  gpu::DeviceMemory on_gpu_;
};

}  // namespace histolab::kernels::cuda::lessons

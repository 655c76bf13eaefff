// How samples are dealt to the blocks of a launch: computed once on the host, a kernel's argument.
//
// The samples in whole 512-byte units (what a warp loads with 16 bytes a lane) from the first 512-byte boundary on are the body; a
// block gets one contiguous range of units. What lies before the first boundary and after the last whole unit, fewer than 512
// bytes each, are the edges: single samples, spread over the blocks.
//
// Waves: a multiprocessor of a large GPU reads up to a few percent faster or slower than the next one, so equal ranges end unequally. A
// long input is therefore dealt in waves of blocks, each wave a smaller part; a multiprocessor that is done early starts
// on the next wave's range while others still work. No counter is shared for this: the GPU's own order of blocks does it.
#pragma once

#include <cstddef>
#include <cstdint>

namespace histolab::kernels::cuda {

inline constexpr unsigned unit_bytes = 512, max_waves = 3;

struct Partition {
  struct Wave {
    std::size_t first_unit = 0, units_per_block = 0;  // whole units of every block of the wave ...
    unsigned extra_units = 0;                         // ... and one more for each of the first so many
  };
  const std::uint8_t* body = nullptr;  // unit-aligned
  const std::uint8_t* head = nullptr;  // the first byte of all
  const std::uint8_t* tail = nullptr;  // what follows the body
  unsigned head_bytes = 0, tail_bytes = 0;
  unsigned blocks_per_wave = 1, waves = 1;
  Wave wave[max_waves];

  [[nodiscard]] unsigned blocks() const { return blocks_per_wave * waves; }
};

// What part of the body each wave gets; the last one takes the rest.
struct Waves {
  unsigned count = 1;
  double part[max_waves] = {1, 0, 0};
};

// Of `length` samples of `sample_bytes` (1, 2 or 4) each; `samples` is aligned to a sample, and to no more.
[[nodiscard]] inline Partition partition(const void* samples, std::size_t length, unsigned sample_bytes, unsigned blocks_per_wave,
                                         const Waves& waves = {}) {
  Partition p;
  const std::size_t bytes = length * sample_bytes;
  p.head = static_cast<const std::uint8_t*>(samples);
  const std::size_t to_boundary = (unit_bytes - reinterpret_cast<std::uintptr_t>(samples) % unit_bytes) % unit_bytes;
  p.head_bytes = static_cast<unsigned>(to_boundary < bytes ? to_boundary : bytes);
  p.body = p.head + p.head_bytes;
  const std::size_t units = (bytes - p.head_bytes) / unit_bytes;
  p.tail = p.body + units * unit_bytes;
  p.tail_bytes = static_cast<unsigned>(bytes - p.head_bytes - units * unit_bytes);
  p.blocks_per_wave = blocks_per_wave;
  p.waves = waves.count;
  std::size_t first = 0;
  for (unsigned w = 0; w < waves.count; ++w) {
    const std::size_t rest = units - first;
    std::size_t mine = w + 1 == waves.count ? rest : static_cast<std::size_t>(static_cast<double>(units) * waves.part[w]);
    if (mine > rest) mine = rest;
    p.wave[w] = {first, mine / blocks_per_wave, static_cast<unsigned>(mine % blocks_per_wave)};
    first += mine;
  }
  return p;
}

}  // namespace histolab::kernels::cuda

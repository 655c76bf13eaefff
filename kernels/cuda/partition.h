// How samples are dealt to the blocks of a launch: computed once on the host, a kernel's argument.
//
// The samples that lie in whole 512-byte units (what a warp loads with one 16-byte load per lane), counted from the first
// 16-byte boundary, are the body; each block gets one contiguous range of units, and no two ranges differ by more than one
// unit. The fewer than 16 bytes before the body and the fewer than 512 after it are the edges, which go one sample at a time.
// A contiguous range for each block reads 3 % faster on an H200 than a grid stride does (98.3 against 95.3 % of the read limit).
#pragma once

#include <cstddef>
#include <cstdint>

namespace histolab::kernels::cuda {

inline constexpr unsigned unit_bytes = 512;

struct Partition {
  const std::uint8_t* body = nullptr;  // 16-byte aligned
  std::size_t units_per_block = 0;     // whole units of every block ...
  unsigned extra_units = 0;            // ... and one more for each of the first so many blocks
  const std::uint8_t* head = nullptr;  // the first byte of all
  unsigned head_bytes = 0, tail_bytes = 0;
  const std::uint8_t* tail = nullptr;
  unsigned blocks = 1;
};

// Of `length` samples of `sample_bytes` (1, 2 or 4) each. `samples` is aligned to a sample, and to no more.
[[nodiscard]] inline Partition partition(const void* samples, std::size_t length, unsigned sample_bytes, unsigned blocks) {
  Partition p;
  const std::size_t bytes = length * sample_bytes;
  p.head = static_cast<const std::uint8_t*>(samples);
  const std::size_t to_boundary = (16 - reinterpret_cast<std::uintptr_t>(samples) % 16) % 16;
  p.head_bytes = static_cast<unsigned>(to_boundary < bytes ? to_boundary : bytes);
  p.body = p.head + p.head_bytes;
  const std::size_t units = (bytes - p.head_bytes) / unit_bytes;
  p.tail = p.body + units * unit_bytes;
  p.tail_bytes = static_cast<unsigned>(bytes - p.head_bytes - units * unit_bytes);
  p.blocks = blocks;
  p.units_per_block = units / blocks;
  p.extra_units = static_cast<unsigned>(units % blocks);
  return p;
}

}  // namespace histolab::kernels::cuda

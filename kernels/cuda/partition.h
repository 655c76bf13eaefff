// How samples are dealt to the blocks of a launch: computed once on the host, a kernel's argument.
//
// The samples in whole 512-byte units (one warp load with 16 bytes a lane) from the first 512-byte
// boundary on are the body. The samples before it and after the last whole unit, fewer than 512
// bytes each, are the edges: single samples, spread over the blocks.
//
// Own and dealt: multiprocessors do not read equally fast; with equal shares of 2^30 bytes the first of an H200's ends 10 %
// before the last. So a block has a contiguous range of the body for its own, in whole rounds of all its warps, and the
// rest is dealt in tickets of 16 KiB to groups of warps, as they get there (sweep.cuh): 6 % of 2^30 bytes. More was slower.
//
// Parts: `parts` neighbouring blocks get the same range, for kernels whose blocks count a part of the bins each. Each
// part deals all tickets.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace histolab::kernels::cuda {

inline constexpr unsigned unit_bytes = 512, ticket_units = 32, ticket_bytes = ticket_units * unit_bytes;

struct Progress;

struct Partition {
  const std::uint8_t* body = nullptr;  // unit-aligned
  const std::uint8_t* head = nullptr;  // the first byte of all
  const std::uint8_t* tail = nullptr;  // what follows the body
  unsigned head_bytes = 0, tail_bytes = 0;
  unsigned ranges = 1, parts = 1;
  unsigned own_rounds = 0;     // of each range; range r begins at round r * own_rounds
  std::size_t dealt_from = 0;  // the unit where the first ticket begins
  unsigned dealt_units = 0, tickets = 0;
  Progress* progress = nullptr;  // of each part (workspace.h)
  bool zeroes = false;           // the first block of each part zeroes its results

  [[nodiscard]] unsigned blocks() const { return ranges * parts; }
};

// Of `length` samples of `sample_bytes` (1, 2 or 4) each; `samples` is aligned to a sample, and to no more. At least
// `least_dealt` bytes are dealt in tickets, as far as there are so many; a round has `round_units`.
[[nodiscard]] inline Partition partition(const void* samples, std::size_t length, unsigned sample_bytes,
                                         unsigned round_units, unsigned ranges, unsigned parts,
                                         std::size_t least_dealt) {
  Partition p;
  const std::size_t bytes = length * sample_bytes;
  p.head = static_cast<const std::uint8_t*>(samples);
  const std::size_t to_boundary = (unit_bytes - reinterpret_cast<std::uintptr_t>(samples) % unit_bytes) % unit_bytes;
  p.head_bytes = static_cast<unsigned>(std::min(to_boundary, bytes));
  p.body = p.head + p.head_bytes;
  const std::size_t units = (bytes - p.head_bytes) / unit_bytes;
  p.tail = p.body + units * unit_bytes;
  p.tail_bytes = static_cast<unsigned>(bytes - p.head_bytes - units * unit_bytes);
  p.ranges = ranges;
  p.parts = parts;
  p.own_rounds = static_cast<unsigned>((units - std::min(units, least_dealt / unit_bytes)) / round_units / ranges);
  p.dealt_from = std::size_t{p.own_rounds} * ranges * round_units;
  p.dealt_units = static_cast<unsigned>(units - p.dealt_from);
  p.tickets = (p.dealt_units + ticket_units - 1) / ticket_units;
  return p;
}

}  // namespace histolab::kernels::cuda

// The distribution of samples over the blocks of a launch. It is computed once on the host and
// passed to the kernel as an argument.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace histolab::kernels::cuda {

inline constexpr unsigned unit_bytes = 512, ticket_units = 32,
                          ticket_bytes = ticket_units * unit_bytes;

struct Progress;

// The body is all whole 512-byte units (one load of a warp with 16 bytes per lane) from the first
// 512-byte boundary on. The head and the tail have fewer than 512 bytes each. Their samples are
// handled one by one, spread over the blocks.
//
// Multiprocessors do not read equally fast: with equal shares of 2^30 bytes, the first one of an
// H200 ends 10 % before the last. So each block has its own contiguous range of the body, in whole
// rounds of all its warps. The rest is distributed dynamically, in tickets of 16 KiB that groups of
// warps take when they are ready (sweep.cuh). The rest is 6 % of 2^30 bytes; more was slower.
//
// If each block counts only a part of the bins, `parts` neighbouring blocks get the same range.
// Each part distributes all tickets.
struct Partition {
  const std::uint8_t* body = nullptr;  // aligned to a unit
  const std::uint8_t* head = nullptr;  // the first byte of the samples
  const std::uint8_t* tail = nullptr;  // the first byte behind the body
  unsigned head_bytes = 0, tail_bytes = 0;
  unsigned ranges = 1, parts = 1;
  unsigned own_rounds = 0;     // per range; range r begins at round r * own_rounds
  std::size_t dealt_from = 0;  // the first unit of the first ticket
  unsigned dealt_units = 0, tickets = 0;
  Progress* progress = nullptr;  // one per part (workspace.h)
  bool zeroes = false;           // the first block of each part zeroes its results

  [[nodiscard]] unsigned blocks() const { return ranges * parts; }
};

// Returns the partition of `length` samples with `sample_bytes` (1, 2 or 4) bytes each. `samples`
// need only be aligned to a sample. At least `least_dealt` bytes are distributed in tickets (or all
// bytes if there are fewer). A round has `round_units` units.
[[nodiscard]] inline Partition partition(const void* samples, std::size_t length,
                                         unsigned sample_bytes, unsigned round_units,
                                         unsigned ranges, unsigned parts, std::size_t least_dealt) {
  Partition p;
  const std::size_t bytes = length * sample_bytes;
  p.head = static_cast<const std::uint8_t*>(samples);
  const std::size_t to_boundary =
      (unit_bytes - reinterpret_cast<std::uintptr_t>(samples) % unit_bytes) % unit_bytes;
  p.head_bytes = static_cast<unsigned>(std::min(to_boundary, bytes));
  p.body = p.head + p.head_bytes;
  const std::size_t units = (bytes - p.head_bytes) / unit_bytes;
  p.tail = p.body + units * unit_bytes;
  p.tail_bytes = static_cast<unsigned>(bytes - p.head_bytes - units * unit_bytes);
  p.ranges = ranges;
  p.parts = parts;
  p.own_rounds = static_cast<unsigned>((units - std::min(units, least_dealt / unit_bytes)) /
                                       round_units / ranges);
  p.dealt_from = std::size_t{p.own_rounds} * ranges * round_units;
  p.dealt_units = static_cast<unsigned>(units - p.dealt_from);
  p.tickets = (p.dealt_units + ticket_units - 1) / ticket_units;
  return p;
}

}  // namespace histolab::kernels::cuda

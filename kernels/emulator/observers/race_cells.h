// RaceCells: the state of a region's addresses: the threads that read, wrote or atomically updated
// each one, and when.
//
// A cell has 4 bytes, or 1 byte once the region had a narrower access. The parts of cells are in
// arrays, so vector instructions can check and update neighbouring cells.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "kernels/emulator/code/site.h"
#include "kernels/emulator/observers/overwrites.h"

namespace histolab::kernels::emulator {

// Atomic operations have four kinds: those that add, those that overwrite (AtomicEffect in site.h),
// those of block scope on global memory, and all others.
enum RaceKind : std::uint8_t {
  plain_read,
  volatile_read,
  write,
  atomic,
  block_atomic,
  addition,
  overwrite
};
inline constexpr std::uint32_t race_kinds = 7;

// Per kind: the kinds that conflict with it, as bits, the first kind lowest. Within a block, and
// between blocks.
inline constexpr std::uint8_t conflicts[race_kinds] = {0b1111100, 0b0000100, 0b1111111, 0b0000101,
                                                       0b0000101, 0b1000101, 0b0100101};
inline constexpr std::uint8_t conflicts_between_blocks[race_kinds] = {
    0b1111100, 0b0010100, 0b1111111, 0b0010101, 0b1111111, 0b1010101, 0b0110101};

struct Witness {
  static constexpr std::uint16_t nobody = 0xffff;
  SiteNumber site = 0;
  std::uint16_t thread = nobody;
};

// Two accesses of one kind to a cell in the current epoch. Once there is a second one, no later
// access is ordered after both. They are of two threads, or, if the kernel calls __syncwarp, of two
// warps.
struct Party {
  Witness first, second;
  [[nodiscard]] bool complete() const { return second.thread != Witness::nobody; }
};

// For a party, in kernels that call __syncwarp.
struct Clocked {
  std::uint32_t when = 0;  // clock of the first access, while it is the only one
  std::uint32_t list = 0;  // number, from 1, of the list of several lanes of the first one's warp
};

struct Place {
  Witness who;
  std::uint32_t block = 0;
};

// The part of a cell's state that does not depend on the accessing thread.
struct CellState {
  std::uint32_t epoch = 0;   // epoch of `now`
  std::uint8_t now = 0;      // kinds, as bits
  std::uint8_t before = 0;   // kinds in earlier epochs of the same block. Global memory only.
  std::uint8_t earlier = 0;  // kinds of earlier blocks.
  // mutant false -> true: no block has epoch 0, so the first check sees a different writer
  bool written = false;  // by the block that `epoch` belongs to
};

// A region's cells.
struct RaceCells {
  std::uint32_t bytes_per_cell = 4;
  std::uint32_t news = 0;  // number of changes
  Overwrites overwrites;
  std::uint32_t news_at_grid_barrier = 0;
  std::vector<CellState> state;
  // Per cell. Empty before the first access of the kind.
  struct OfKind {
    std::vector<Party> party;      // valid if the kind is in `now`.
    std::vector<Clocked> clocked;  // only in kernels that call __syncwarp.
    // The latest access by any block, and the latest by an earlier block than that. Global memory
    // only.
    std::vector<Place> latest, previous;
  };
  std::array<OfKind, race_kinds> of;
};

// Neighbouring cells, each accessed by one of `lanes` threads with consecutive numbers.
struct CellRun {
  std::uint32_t first = 0, lanes = 0;
  std::uint32_t epoch = 0, block_epoch = 0;
  Witness who;  // the access by the first thread
};

// The union of the states of a run's cells.
struct RunSeen {
  std::uint32_t now;      // kinds in this epoch, as bits, of any cell.
  std::uint32_t earlier;  // kinds of earlier blocks, as bits, of any cell.
  bool left_by_another;   // a cell was last accessed by another block.
  bool written;           // this block has written each cell.
};

[[nodiscard]] RunSeen look_at(const RaceCells& cells, const CellRun& run);
// Returns true if, per cell, only the thread that accesses it now has made accesses of `kind` in
// this epoch.
[[nodiscard]] bool only_by_themselves(const RaceCells& cells, const CellRun& run, RaceKind kind);
// Records the run's accesses. If another block has accessed a cell before, call enter_epoch first.
void note(RaceCells& cells, const CellRun& run, RaceKind kind);

// For global memory: records the run's accesses as the latest ones, by `block`.
void note_latest(RaceCells& cells, const CellRun& run, RaceKind kind, std::uint32_t block);

}  // namespace histolab::kernels::emulator

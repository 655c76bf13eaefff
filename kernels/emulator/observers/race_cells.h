// The state of the addresses of a region: which threads read, wrote or atomically updated each, and
// when.
//
// A cell is four bytes, or one byte once an access narrower than that touched the region. Its parts
// are in arrays, so vector instructions can check and update a row of neighbouring cells.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "kernels/emulator/observers/overwrites.h"
#include "kernels/emulator/code/site.h"

namespace histolab::kernels::emulator {

// Atomic operations are of four kinds: those that add, those that overwrite (AtomicEffect in site.h), all others, and those of
// block scope on global memory, whatever they do.
enum RaceKind : std::uint8_t { plain_read, volatile_read, write, atomic, block_atomic, addition, overwrite };
inline constexpr std::uint32_t race_kinds = 7;

// The kinds that conflict with a kind, as bits, the first kind lowest. Within a block and between
// blocks.
inline constexpr std::uint8_t conflicts[race_kinds] = {0b1111100, 0b0000100, 0b1111111, 0b0000101, 0b0000101, 0b1000101, 0b0100101};
inline constexpr std::uint8_t conflicts_between_blocks[race_kinds] = {0b1111100, 0b0010100, 0b1111111, 0b0010101, 0b1111111, 0b1010101, 0b0110101};

struct Witness {
  static constexpr std::uint16_t nobody = 0xffff;
  SiteNumber site = 0;
  std::uint16_t thread = nobody;
};

// The threads that made accesses of one kind to a cell in the current epoch. Once there is a
// second, no later thread is ordered after both: they are two threads if there is no __syncwarp,
// else threads of two warps.
struct Party {
  Witness first, second;
  [[nodiscard]] bool complete() const { return second.thread != Witness::nobody; }
};

// For a party, in kernels that call __syncwarp.
struct Clocked {
  std::uint32_t when = 0;  // the first one's clock, while it is the only one
  std::uint32_t list = 0;  // several lanes of the first one's warp: number of their list, from 1
};

struct Place {
  Witness who;
  std::uint32_t block = 0;
};

// The part of a cell's state that does not depend on the accessing thread.
struct CellState {
  std::uint32_t epoch = 0;   // of `now`
  std::uint8_t now = 0;      // bit per kind
  std::uint8_t before = 0;   // in earlier epochs of the block that `epoch` belongs to. Global memory only
  std::uint8_t earlier = 0;  // by earlier blocks
  bool written = false;      // by the block that `epoch` belongs to
};

// A region's cells.
struct RaceCells {
  std::uint32_t bytes_per_cell = 4;
  std::uint32_t news = 0;  // how often something was noted
  Overwrites overwrites;
  std::uint32_t news_at_grid_barrier = 0;
  std::vector<CellState> state;
  struct OfKind {  // empty before the first access of the kind
    std::vector<Party> party;      // means something where the kind is in `now`
    std::vector<Clocked> clocked;  // in kernels that call __syncwarp
    std::vector<Place> latest, previous;  // by any block; by an earlier one than the latest was then. Global memory only
  };
  std::array<OfKind, race_kinds> of;
};

// Neighbouring cells, each accessed by one of `lanes` threads in a row.
struct CellRun {
  std::uint32_t first = 0, lanes = 0;
  std::uint32_t epoch = 0, block_epoch = 0;
  Witness who;  // the first of them
};

struct RunSeen {
  std::uint32_t now;      // kinds, as bits: in this epoch, of any cell
  std::uint32_t earlier;  // by earlier blocks
  bool left_by_another;   // a cell was last touched by another block than this one
  bool written;           // each was, by this block
};

[[nodiscard]] RunSeen look_at(const RaceCells& cells, const CellRun& run);
// Was every access of `kind` in this epoch made by the thread that accesses that cell now?
[[nodiscard]] bool only_by_themselves(const RaceCells& cells, const CellRun& run, RaceKind kind);
// Records that the threads access their cells. If another block was there before, call enter_epoch
// first.
void note(RaceCells& cells, const CellRun& run, RaceKind kind);

// For global memory: records which threads accessed the cell, and in which block.
void note_latest(RaceCells& cells, const CellRun& run, RaceKind kind, std::uint32_t block);

}  // namespace histolab::kernels::emulator

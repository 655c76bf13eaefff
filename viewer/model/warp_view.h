// WarpView: one memory instruction of a warp, prepared for drawing: the sectors, banks and elements
// that its lanes access.
//
// The numbers of sectors, wavefronts and conflicting lanes come from the stream (Access). This file
// only computes the lanes' positions. Nothing here fails: widths and addresses in a stream may have
// any value.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "reference/addresses.h"
#include "viewer/model/event.h"

namespace histolab::viewer {

inline constexpr std::uint32_t lanes = 32, sector_bytes = reference::sector_bytes, line_bytes = 128,
                               banks = reference::shared_banks, bank_bytes = 4;

[[nodiscard]] bool is_active(const Access& access, std::uint32_t lane);
[[nodiscard]] bool is_atomic(const Access& access);
[[nodiscard]] bool writes(const Access& access);
[[nodiscard]] bool in_shared(const Access& access);
// Bytes per lane, 1 to 16.
[[nodiscard]] std::uint32_t width_of(const Access& access);
// Index of the lane's element in the variable. An element is as wide as the access.
[[nodiscard]] std::uint64_t element_of(const Access& access, std::uint32_t lane);

// The bank of the lane's first byte, for an access to shared memory.
[[nodiscard]] std::uint32_t bank_of(const Access& access, std::uint32_t lane);

// Global memory: the cache lines of 128 bytes that are accessed, by address, each with its four
// sectors.
struct SectorGrid {
  struct Line {
    std::uint64_t begin = 0;                  // its first byte, as an offset in the variable
    std::array<std::uint32_t, 4> lanes_in{};  // per sector: mask of the lanes that access it
  };
  std::vector<Line> lines;
  std::uint32_t sectors = 0;     // number of accessed sectors
  std::uint32_t bytes_used = 0;  // number of different bytes accessed
};
[[nodiscard]] SectorGrid sector_grid(const Access& access);

// A bank or an element, with the lanes that access it as a stack of cells.
struct Column {
  std::string label;
  std::uint64_t number = 0;          // of the bank or the element
  std::vector<std::uint32_t> cells;  // from the bottom; each is a mask of lanes
};
// Shared memory: 32 banks. A cell is a word of 4 bytes in the bank, with the lanes that access it.
[[nodiscard]] std::vector<Column> bank_columns(const Access& access);
// One column per element, by index; a cell is a lane. With up to 32 labels, each label has its
// column even if no lane accesses it.
[[nodiscard]] std::vector<Column> element_columns(const Access& access,
                                                  const std::vector<std::string>& labels);
[[nodiscard]] std::size_t highest(const std::vector<Column>& columns);

// Number of wavefronts beyond those that the width of the access needs. Returns nullopt for
// accesses wider than a word, which need a model (docs/counters.md).
[[nodiscard]] std::optional<std::uint32_t> bank_conflicts(const Access& access);

// Returns the colour group per lane: lanes that share a sector (or an element) have the same group.
// -1: not active. Neighbouring sectors have different groups modulo `group_count`.
inline constexpr int group_count = 8;
[[nodiscard]] std::array<int, lanes> sector_groups(const Access& access);

// Returns "line 6, load of 1 byte from data: 32 lanes, 1 sector per request; 100 % of the bytes
// used". With `file`, it begins with "add.h:6".
[[nodiscard]] std::string sentence(const Access& access, const std::string& file = {});
// Explains the access pattern in one sentence.
[[nodiscard]] std::string lesson(const Access& access);
// Returns "lane 5: thread 37 of block 0", with address and element. `bin` is the element's label,
// or empty.
[[nodiscard]] std::string about_lane(const Access& access, std::uint32_t lane,
                                     std::uint32_t block_size, const std::string& bin);
// Returns "0-31" or "0-3, 7, 9-12"; never longer than about 24 characters.
[[nodiscard]] std::string lane_ranges(std::uint32_t lanes_in);

}  // namespace histolab::viewer

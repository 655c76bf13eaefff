// One memory instruction of a warp, worked out for drawing: which sectors, banks and elements its
// lanes touch.
//
// How many sectors and wavefronts it cost, and how many lanes met, is the stream's own (Access);
// here is only where the lanes are. Nothing here fails: widths and addresses of a stream may be any
// numbers.
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
// Bytes of one lane, 1 to 16.
[[nodiscard]] std::uint32_t width_of(const Access& access);
// The lane's element of the variable, where elements are as wide as the access.
[[nodiscard]] std::uint64_t element_of(const Access& access, std::uint32_t lane);

// Of its first byte; in shared memory.
[[nodiscard]] std::uint32_t bank_of(const Access& access, std::uint32_t lane);

// Global memory: the lines of 128 bytes that are touched, by address, and of each its four sectors.
struct SectorGrid {
  struct Line {
    std::uint64_t begin = 0;                  // its first byte, from the variable's begin
    std::array<std::uint32_t, 4> lanes_in{};  // of each sector: lanes that touch it
  };
  std::vector<Line> lines;
  std::uint32_t sectors = 0;     // that lanes touch
  std::uint32_t bytes_used = 0;  // different bytes that lanes touch
};
[[nodiscard]] SectorGrid sector_grid(const Access& access);

// Something with lanes stacked on it.
struct Column {
  std::string label;
  std::uint64_t number = 0;          // of the bank or the element
  std::vector<std::uint32_t> cells;  // from the bottom; of each, its lanes
};
// Shared memory: 32 banks; a cell is a word of 4 bytes in this bank, with the lanes that touch it.
[[nodiscard]] std::vector<Column> bank_columns(const Access& access);
// A column an element, by its index; a cell is a lane. Of up to 32 labels each has its column,
// touched or not.
[[nodiscard]] std::vector<Column> element_columns(const Access& access,
                                                  const std::vector<std::string>& labels);
[[nodiscard]] std::size_t highest(const std::vector<Column>& columns);

// Wavefronts beyond those that the width of the access needs; nullopt: for accesses of more than a
// word that is a model's business (docs/counters.md).
[[nodiscard]] std::optional<std::uint32_t> bank_conflicts(const Access& access);

// What each lane is coloured by: lanes that share a sector (or an element) have the same group. -1:
// not active. Neighbouring sectors have different groups modulo `group_count`.
inline constexpr int group_count = 8;
[[nodiscard]] std::array<int, lanes> sector_groups(const Access& access);

// "line 6, load of 1 byte from data: 32 lanes, 1 sector a request; 100 % of the bytes used".
[[nodiscard]] std::string sentence(const Access& access);
// What to learn from it, in one sentence.
[[nodiscard]] std::string lesson(const Access& access);
// "lane 5: thread 37 of block 0", with address and element; `bin` is the element's label, or empty.
[[nodiscard]] std::string about_lane(const Access& access, std::uint32_t lane,
                                     std::uint32_t block_size, const std::string& bin);
// "0-31", "0-3, 7, 9-12": never longer than about 24 characters.
[[nodiscard]] std::string lane_ranges(std::uint32_t lanes_in);

}  // namespace histolab::viewer

// Drawings of one memory instruction of a warp: its 32 lanes, the sectors that they touch, lanes
// stacked on banks or elements. Each returns the lanes under the mouse, as bits; `lit` lanes are
// drawn with a frame.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "imgui.h"
#include "viewer/model/warp_view.h"
#include "viewer/ui/lane_colors.h"

namespace histolab::viewer {

// One row, as wide as the window: lanes that are not active are hollow.
std::uint32_t draw_lanes(const Access& access, const LaneColors& colors, std::uint32_t lit);

// Lines of 128 bytes, each of four sectors, with the bytes of each lane filled in. It scrolls where
// there are many lines.
std::uint32_t draw_sectors(const Access& access, const SectorGrid& grid, const LaneColors& colors,
                           std::uint32_t lit, ImVec2 size);

// What draw_columns() can make use of.
[[nodiscard]] float columns_height(const std::vector<Column>& columns);
struct ColumnCaptions {
  std::string up, across;  // what is counted upwards, and what the columns are
};
std::uint32_t draw_columns(const char* id, const std::vector<Column>& columns,
                           const ColumnCaptions& captions, const LaneColors& colors,
                           std::uint32_t lit, ImVec2 size);

}  // namespace histolab::viewer

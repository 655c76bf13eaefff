// Draws one memory instruction of a warp: its 32 lanes, the sectors that they access, and lanes
// stacked on banks or elements. Each function returns the lanes under the mouse as a bit mask.
// `lit` lanes are drawn with a frame.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "imgui.h"
#include "viewer/model/warp_view.h"
#include "viewer/ui/lane_colors.h"

namespace histolab::viewer {

// One row, as wide as the window. Inactive lanes are hollow.
std::uint32_t draw_lanes(const Access& access, const LaneColors& colors, std::uint32_t lit);

// Cache lines of 128 bytes, each with four sectors; the bytes of each lane are filled. Scrolls if
// there are many lines.
std::uint32_t draw_sectors(const Access& access, const SectorGrid& grid, const LaneColors& colors,
                           std::uint32_t lit, ImVec2 size);

// The height that draw_columns() can use.
[[nodiscard]] float columns_height(const std::vector<Column>& columns);
struct ColumnCaptions {
  std::string up, across;  // captions of the y axis and the x axis
};
std::uint32_t draw_columns(const char* id, const std::vector<Column>& columns,
                           const ColumnCaptions& captions, const LaneColors& colors,
                           std::uint32_t lit, ImVec2 size);

}  // namespace histolab::viewer

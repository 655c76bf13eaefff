// Lane colours: lanes that share a sector, a bank or a bin have one colour, so that patterns over
// time are easy to see.
#pragma once

#include <array>
#include <string>

#include "imgui.h"
#include "viewer/model/access_log.h"
#include "viewer/model/warp_view.h"

namespace histolab::viewer {

using LaneColors = std::array<ImVec4, lanes>;  // unused for inactive lanes
[[nodiscard]] LaneColors lane_colors(const AccessLog& log, const Access& access);

// Whether colours show elements rather than the position of bytes: true for atomic operations and
// for bins in global memory.
[[nodiscard]] bool shown_by_element(const AccessLog& log, const Access& access);
// Returns the label of the bin that the lane accesses, or an empty text if the variable does not
// hold bins.
[[nodiscard]] std::string bin_label(const AccessLog& log, const Access& access, std::uint32_t lane);
// Draws a line that explains the colours.
void draw_color_legend(const AccessLog& log, const Access& access);

}  // namespace histolab::viewer

// Lane colours: what a warp's lanes are coloured by, so that a pattern over time is seen at a
// glance: lanes that share a sector, a bank or a bin have one colour.
#pragma once

#include <array>
#include <string>

#include "imgui.h"
#include "viewer/model/access_log.h"
#include "viewer/model/warp_view.h"

namespace histolab::viewer {

using LaneColors = std::array<ImVec4, lanes>;  // of a lane that is not active it is not used
[[nodiscard]] LaneColors lane_colors(const AccessLog& log, const Access& access);

// Are the elements that lanes meet on more telling than where the bytes are? Of atomic operations,
// and of bins.
[[nodiscard]] bool shown_by_element(const AccessLog& log, const Access& access);
// Of the bin that the lane accesses; empty where the variable holds no bins.
[[nodiscard]] std::string bin_label(const AccessLog& log, const Access& access, std::uint32_t lane);
// A line that says what the colours are.
void draw_color_legend(const AccessLog& log, const Access& access);

}  // namespace histolab::viewer

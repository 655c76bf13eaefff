// Plots: what the panels' plots have in common: engineering numbers on axes, colours by meaning,
// text that fits.
#pragma once

#include <string>

#include "imgui.h"
#include "implot.h"
#include "viewer/model/engineering.h"

namespace histolab::viewer {

// Axis numbers as engineering() has them; `unit` follows where it is not null ("/s").
void engineering_axis(ImAxis axis, const char* unit = nullptr);

[[nodiscard]] ImPlotSpec filled(ImVec4 color, ImPlotItemFlags flags = 0);
[[nodiscard]] ImPlotSpec outlined(ImVec4 color, float weight = 1, ImPlotItemFlags flags = 0);
[[nodiscard]] ImPlotSpec line(ImVec4 color, float weight = 2, ImPlotItemFlags flags = 0);
// A line whose points are seen; hollow: what is modelled.
[[nodiscard]] ImPlotSpec marked_line(ImVec4 color, ImPlotMarker marker, bool hollow,
                                     float weight = 1.5f);

// What is left of the window, but never too small for a plot.
[[nodiscard]] ImVec2 plot_size(float height_to_leave = 0);

// Text in `color` that wraps at the window's edge.
void wrapped_text(ImVec4 color, const std::string& text);
// Text on one line, as much as fits; the whole of it is for the caller's tooltip.
void one_line(ImVec4 color, const std::string& text);
// A small label that says where numbers come from: "measured, NVIDIA H200" or "modelled for an
// H200".
void origin_tag(bool measured, const std::string& device);
// The next item in this line if it still fits, else below.
void same_line_if_room(float width);

}  // namespace histolab::viewer

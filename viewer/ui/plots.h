// Plots: helpers for the panels' plots: engineering numbers on axes, colours by meaning, text that
// fits.
#pragma once

#include <string>

#include "imgui.h"
#include "implot.h"
#include "viewer/model/engineering.h"

namespace histolab::viewer {

// Formats axis numbers with engineering(), followed by `unit` ("/s") unless it is null.
void engineering_axis(ImAxis axis, const char* unit = nullptr);

[[nodiscard]] ImPlotSpec filled(ImVec4 color, ImPlotItemFlags flags = 0);
[[nodiscard]] ImPlotSpec outlined(ImVec4 color, float weight = 1, ImPlotItemFlags flags = 0);
[[nodiscard]] ImPlotSpec line(ImVec4 color, float weight = 2, ImPlotItemFlags flags = 0);
// A line with visible points. Modelled points are hollow.
[[nodiscard]] ImPlotSpec marked_line(ImVec4 color, ImPlotMarker marker, bool hollow,
                                     float weight = 1.5f);

// Returns the remaining size of the window, but never too small for a plot.
[[nodiscard]] ImVec2 plot_size(float height_to_leave = 0);

// Draws text in `color` that wraps at the window's edge.
void wrapped_text(ImVec4 color, const std::string& text);
// Draws as much of the text as fits on one line. The caller may add a tooltip with all of it.
void one_line(ImVec4 color, const std::string& text);
// Draws a small label for the origin of numbers: "measured, NVIDIA H200" or "modelled, profile
// h200".
void origin_tag(bool measured, const std::string& device);
// Puts the next item on this line if it fits, else below.
void same_line_if_room(float width);

}  // namespace histolab::viewer

// Positions of the line names at the right end of a plot: each near its line, without overlap, and
// inside the plot.
#pragma once

#include <vector>

namespace histolab::viewer {

// In pixels from the top; `tops` is in the order of the lines.
struct NamePlaces {
  float size = 0;  // font size
  std::vector<float> tops;
};

// `ends` are the heights at which the lines end. The font is smaller than `size` if the plot has no
// room for all names.
[[nodiscard]] NamePlaces place_names(const std::vector<float>& ends, float top, float bottom,
                                     float size);

}  // namespace histolab::viewer

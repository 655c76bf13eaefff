// Places for the names at the right ends of a plot's lines: each near its line, none over another,
// all in the plot.
#pragma once

#include <vector>

namespace histolab::viewer {

// In pixels from the top, in the order of the lines.
struct NamePlaces {
  float size = 0;  // of the type
  std::vector<float> tops;
};

// `ends` are the heights at which the lines end. The type gets smaller than `size` if the plot has
// no room for so many.
[[nodiscard]] NamePlaces place_names(const std::vector<float>& ends, float top, float bottom,
                                     float size);

}  // namespace histolab::viewer

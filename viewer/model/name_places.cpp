#include "viewer/model/name_places.h"

#include <algorithm>
#include <cstddef>
#include <numeric>

namespace histolab::viewer {

NamePlaces place_names(const std::vector<float>& ends, float top, float bottom, float size) {
  NamePlaces places{size, std::vector<float>(ends.size())};
  if (ends.empty()) return places;
  places.size = std::clamp((bottom - top) / static_cast<float>(ends.size()), 0.0f, size);
  std::vector<std::size_t> order(ends.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t line) { return ends[line]; });
  float above = top;
  for (const std::size_t line : order) {
    places.tops[line] = std::max(ends[line] - places.size / 2, above);
    above = places.tops[line] + places.size;
  }
  float below = bottom;
  for (auto line = order.rbegin(); line != order.rend(); ++line) {
    places.tops[*line] = std::min(places.tops[*line], below - places.size);
    below = places.tops[*line];
  }
  return places;
}

}  // namespace histolab::viewer

#include "viewer/model/name_places.h"

#include <doctest/doctest.h>

#include <algorithm>

namespace histolab::viewer {
namespace {

TEST_CASE("line names are inside the plot, near their lines, and do not overlap") {
  const std::vector<std::vector<float>> plots = {{50},
                                                 {10, 10, 10},
                                                 {-40, 500},
                                                 {99, 98, 97, 1, 2, 3},
                                                 {60, 20, 60, 20, 60, 20, 60, 20, 60, 20, 60, 20}};
  for (const std::vector<float>& ends : plots)
    for (const float size : {8.0f, 16.0f, 32.0f}) {
      const NamePlaces places = place_names(ends, 0, 100, size);
      REQUIRE(places.tops.size() == ends.size());
      CHECK(places.size <= size);
      CHECK(places.size > 0);
      for (std::size_t i = 0; i < ends.size(); ++i) {
        CHECK(places.tops[i] >= -0.01f);
        CHECK(places.tops[i] + places.size <= 100.01f);
        for (std::size_t k = 0; k < i; ++k) {
          const float apart = places.tops[i] - places.tops[k];
          CHECK(std::max(apart, -apart) >= places.size - 0.01f);
          if (ends[i] < ends[k]) CHECK(places.tops[i] < places.tops[k]);
        }
      }
    }
  CHECK(place_names({50}, 0, 100, 16).tops.front() == 42);  // in the middle of its line
  CHECK(place_names({}, 0, 100, 16).tops.empty());
}

}  // namespace
}  // namespace histolab::viewer

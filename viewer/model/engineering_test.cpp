#include "viewer/model/engineering.h"

#include <doctest/doctest.h>

#include <limits>

using histolab::viewer::engineering;

TEST_CASE("engineering: three digits and a prefix") {
  CHECK(engineering(0) == "0");
  CHECK(engineering(950) == "950");
  CHECK(engineering(999.6) == "1k");
  CHECK(engineering(12'345) == "12.3k");
  CHECK(engineering(4.567e12) == "4.57T");
  CHECK(engineering(-1500) == "-1.5k");
  CHECK(engineering(std::numeric_limits<double>::infinity()) == "-");
}

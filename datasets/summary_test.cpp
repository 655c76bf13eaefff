#include "datasets/summary.h"

#include <doctest/doctest.h>

#include <numeric>
#include <string>
#include <vector>

#include "datasets/testing/test_data.h"
#include "datasets/testing/test_files.h"

namespace histolab::datasets {
namespace {

using Values = std::vector<std::uint32_t>;

TEST_CASE("bytes: values, runs, and the lanes that meet") {
  // One warp with 20 a, 4 b, 6 ! and 2 e, then a warp of 3 elements.
  const Summary summary =
      summary_of(bytes_of(std::string(20, 'a') + "bbbb" + "!!!!!!" + "ee" + "xyx"), 1);
  CHECK(summary.length == 35);
  CHECK(summary.counts.size() == 256);
  CHECK(summary.counts['a'] == 20);
  CHECK(summary.distinct == 6);
  CHECK(summary.runs == 7);
  CHECK(summary.warps == 2);
  CHECK(summary.lanes_on_one_value == 20 + 2);
  REQUIRE(summary.letters.has_value());
  CHECK(summary.letters->count == 29);
  CHECK(summary.letters->bins == std::vector<std::uint64_t>{24, 2, 0, 0, 0, 2, 1});
  CHECK(summary.letters->lanes_on_one_bin == 24 + 2);  // a and b share a bin; ! has no bin
  CHECK(most_frequent(summary, 3) == Values{'a', '!', 'b'});
  CHECK(most_frequent(summary, 10) == Values{'a', '!', 'b', 'e', 'x', 'y'});
}

TEST_CASE("samples: the lower byte is the first") {
  const Summary summary = summary_of(std::vector<std::uint8_t>{1, 0, 0, 1, 0, 1, 255, 255}, 2);
  CHECK(summary.length == 4);
  CHECK(summary.counts.size() == 65536);
  CHECK(summary.counts[1] == 1);
  CHECK(summary.counts[256] == 2);
  CHECK(summary.counts[65535] == 1);
  CHECK(summary.runs == 3);
  CHECK(summary.lanes_on_one_value == 2);
  CHECK_FALSE(summary.letters.has_value());
  CHECK(most_frequent(summary, 2) == Values{256, 1});
}

TEST_CASE("the summary of no data is all zeros") {
  for (const std::uint32_t element_bytes : {1u, 2u}) {
    const Summary summary = summary_of({}, element_bytes);
    CHECK(summary.length == 0);
    CHECK(summary.distinct == 0);
    CHECK(summary.runs == 0);
    CHECK(summary.warps == 0);
    CHECK(most_frequent(summary, 5).empty());
  }
}

TEST_CASE("the ends of contention: one value, and all of them") {
  const Summary one = summary_of(data_of("constant", 3200, 1, 2), 2);
  CHECK(one.lanes_on_one_value == 3200);
  CHECK(one.runs == 1);
  const Summary all = summary_of(data_of("values", 1 << 20, 1, 2), 2);
  CHECK(all.warps == 1 << 15);
  CHECK(std::accumulate(all.counts.begin(), all.counts.end(), std::uint64_t{0}) == 1 << 20);
  // Two of 32 lanes meet in one warp of 132: 32 * 31 / 2 pairs, 65 536 values.
  CHECK(all.lanes_on_one_value - all.warps ==
        doctest::Approx(static_cast<double>(all.warps) * 496 / 65536).epsilon(0.25));
}

}  // namespace
}  // namespace histolab::datasets

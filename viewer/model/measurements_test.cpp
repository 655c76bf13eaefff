#include "viewer/model/measurements.h"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

namespace histolab::viewer {
namespace {

TEST_CASE("measurements: the project's own files are read") {
  const std::vector<Bench> benches = read_benches(HISTOLAB_SOURCE_DIR "/docs/measurements");
  REQUIRE_FALSE(benches.empty());
  const BenchRow* cub = nullptr;
  for (const Bench& bench : benches)
    if (cub == nullptr) cub = bench.find("cub", "english", "letters", 7, 1);
  REQUIRE(cub != nullptr);
  CHECK(cub->length == 1u << 30);
  CHECK(cub->elements_per_s > 1e12);
}

TEST_CASE("measurements: limits come from one GPU and match sample width and bins") {
  const std::vector<Bench> benches{{.device = "here",
                                    .date = "",
                                    .read_limit_gb_per_s = 100,
                                    .rows = {{"cub", "english", "letters", 7, 1, 1000, 5e9}}},
                                   {.device = "elsewhere",
                                    .date = "",
                                    .read_limit_gb_per_s = 4000,
                                    .rows = {{"cub", "zipf", "letters", 7, 1, 1000, 6e9}}},
                                   {.device = "here",
                                    .date = "",
                                    .read_limit_gb_per_s = 90,
                                    .rows = {{"cub", "uniform", "even", 65536, 1, 1000, 7e9},
                                             {"cub", "uniform", "even", 65536, 2, 1000, 8e9}}}};
  const MeasuredLimits letters = limits_in(benches, "english", "letters", 7);
  CHECK(letters.device == "here");
  CHECK(letters.read == doctest::Approx(100e9));
  CHECK(letters.cub == doctest::Approx(5e9));
  const MeasuredLimits shorts = limits_in(benches, "uniform", "shorts", 65536);
  CHECK(shorts.read == doctest::Approx(50e9));
  CHECK(shorts.cub == doctest::Approx(8e9));
  CHECK(limits_in(benches, "zipf", "letters", 7).cub == 0);
  CHECK(limits_in(benches, "english", "letters", 26).cub == 0);
  CHECK(limits_in({}, "english", "letters", 7).read == 0);
}

TEST_CASE("measurements: other files are skipped") {
  CHECK_FALSE(bench_in(nullptr).has_value());
  CHECK_FALSE(bench_in({{"rows", {1, 2}}, {"read_limit_gb_per_s", 4}}).has_value());
  CHECK(read_benches("/no/such/folder").empty());
}

}  // namespace
}  // namespace histolab::viewer

#include "viewer/model/measurements.h"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

namespace histolab::viewer {
namespace {

TEST_CASE("the measurements that come with the project") {
  const std::vector<Bench> benches = read_benches(HISTOLAB_SOURCE_DIR "/docs/measurements");
  REQUIRE_FALSE(benches.empty());
  const BenchRow* cub = nullptr;
  for (const Bench& bench : benches)
    if (cub == nullptr) cub = bench.find("cub", "english", "letters", 7);
  REQUIRE(cub != nullptr);
  CHECK(cub->length == 1u << 30);
  CHECK(cub->elements_per_s > 1e12);
}

TEST_CASE("what is no benchmark is passed by") {
  CHECK_FALSE(bench_in(nullptr, "a").has_value());
  CHECK_FALSE(bench_in({{"rows", {1, 2}}, {"read_limit_gb_per_s", 4}}, "a").has_value());
  CHECK(read_benches("/no/such/folder").empty());
}

}  // namespace
}  // namespace histolab::viewer

#include "grader/pipeline/contest.h"

#include <doctest/doctest.h>

#include <set>

#include "datasets/datasets.h"
#include "reference/histogram.h"

using namespace histolab;
using namespace histolab::grader;

TEST_CASE("every round has new data with matching expected counts") {
  const reference::Binning letters;
  std::vector<std::vector<std::uint8_t>> inputs;
  for (std::uint64_t seed : {1, 2, 3})
    inputs.push_back(*datasets::generate("english", 20011, seed));
  const FreshData data = fresh_data(inputs, letters, 50, 7);
  REQUIRE(data.samples.size() == 50);
  std::set<std::vector<std::uint64_t>> truths;
  std::set<std::size_t> used;
  for (std::size_t round = 0; round < 50; ++round) {
    const auto& sample = data.samples[round];
    used.insert(sample.input);
    std::vector<std::uint8_t> bytes = inputs[sample.input];
    for (const auto& change : sample.changes) bytes[change.at] = change.byte;
    CHECK(reference::histogram(bytes, letters) == data.truth[round]);
    truths.insert(data.truth[round]);
  }
  CHECK(used.size() == 3);
  // All rounds have different results, so a remembered result is wrong.
  CHECK(truths.size() == 50);
}

TEST_CASE("the changes follow from the random number") {
  const std::vector<std::vector<std::uint8_t>> inputs = {*datasets::generate("bytes", 4096, 1)};
  const reference::Binning bytes{.domain = reference::Domain::bytes, .bins = 256, .width = 1};
  const auto places = [&](std::uint64_t randomness) {
    std::vector<std::uint64_t> list;
    const FreshData fresh = fresh_data(inputs, bytes, 1, randomness);
    for (const auto& change : fresh.samples[0].changes) list.push_back(change.at);
    return list;
  };
  CHECK(places(1) == places(1));
  CHECK(places(1) != places(2));
}

TEST_CASE("data of a single value, or without elements, cannot be changed") {
  const reference::Binning letters;
  CHECK(fresh_data({std::vector<std::uint8_t>(100, 'm')}, letters, 2, 1).truth[1] ==
        reference::histogram(std::vector<std::uint8_t>(100, 'm'), letters));
  CHECK(fresh_data({{}}, letters, 1, 1).samples[0].changes.empty());
}

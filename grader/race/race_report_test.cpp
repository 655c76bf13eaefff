// Golden files of `histolab race`.
#include "grader/race/race_report.h"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "grader/race/testing/golden.h"
#include "grader/testing/sample.h"
#include "grader/words/words.h"

using namespace histolab;
using namespace histolab::grader;
using namespace histolab::grader::testing;

TEST_CASE("race: the text") {
  CHECK(matches_golden("race.txt", to_text(race_of_seed({}, 1))));
  CHECK(matches_golden("race-scenario.txt", to_text(race_of_scenario(3))));
  CHECK(matches_golden("race-enumerate.txt", to_text(*all_races(reference::Increments{}))));
  CHECK(matches_golden("race-atomic.txt", to_text(race_of_seed({3, 2, true}, 1)) + "\n" +
                                              to_text(*all_races({3, 2, true}))));
}

TEST_CASE("race: the JSON") {
  CHECK(matches_golden("race.json", to_json(old_version(race_of_scenario(4)))));
  CHECK(matches_golden("race-enumerate.json",
                       to_json(old_version(*all_races(reference::Increments{})))));
}

TEST_CASE("race: no line is wider than 80 columns") {
  for (const reference::Increments& shape : {reference::Increments{2, 1, false},
                                             {32, 64, false},
                                             {32, 64, true},
                                             {4, 2, false},
                                             {1, 1, false}})
    for (std::uint64_t seed = 0; seed < 5; ++seed)
      CHECK(fits_in_80_columns(to_text(race_of_seed(shape, seed))));
  for (const reference::Increments& shape : {reference::Increments{2, 9, false},
                                             {3, 4, false},
                                             {4, 2, false},
                                             {7, 1, false},
                                             {18, 1, true},
                                             {1, 64, false}})
    CHECK(fits_in_80_columns(to_text(*all_races(shape))));
  for (int number = 1; number <= 4; ++number)
    CHECK(fits_in_80_columns(to_text(race_of_scenario(number))));
}

TEST_CASE("race: an error for a large shape names feasible ones") {
  CHECK(all_races({4, 3, false}).error().message ==
        "4 threads with 3 increments each have more than 2^53 interleavings, too many to count "
        "exactly; with 4 "
        "threads, at "
        "most 2 increments each; with 3 increments each, at most 3 threads");
  CHECK(all_races({8, 1, false}).error().message ==
        "8 threads with 1 increment each have more than 2^53 interleavings, too many to count "
        "exactly; with 1 increment "
        "each, at most 7 threads");
  CHECK(all_races({4, 2, false}).ok());
  CHECK(all_races({3, 3, false}).ok());
  CHECK(all_races({7, 1, false}).ok());
}

TEST_CASE("race: the JSON has the seed only if it matters") {
  const auto json = [](const RaceReport& report) { return nlohmann::json::parse(to_json(report)); };
  CHECK(json(race_of_seed({}, 5))["seed"] == 5);
  CHECK(json(race_of_seed({}, 5))["scenario"].is_null());
  CHECK(json(race_of_scenario(2))["seed"].is_null());
  CHECK(json(*all_races(reference::Increments{}))["trace"].is_null());
}

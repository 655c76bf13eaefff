#include "viewer/model/calculators.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "datasets/testing/test_files.h"

using namespace histolab;
using namespace histolab::viewer;

namespace {

const Calculator& calculator(const char* id) {
  const Calculator* const found = find_calculator(id);
  REQUIRE(found != nullptr);
  return *found;
}
double first_answer(const char* id) {
  return calculator(id).answer(calculator(id).presets.front().values);
}

const std::string h200 = std::string{HISTOLAB_SOURCE_DIR} + "/profiles/h200.json";

}  // namespace

TEST_CASE("calculators: the exercises' numbers") {
  CHECK(first_answer("latency") == doctest::Approx(10e6));
  CHECK(first_answer("cache") == doctest::Approx(1e9 / 13.6));
  CHECK(first_answer("privatization") == doctest::Approx(909.09e6).epsilon(0.001));
  CHECK(first_answer("operations") == doctest::Approx(50e6));
  CHECK(first_answer("addresses") == doctest::Approx(70e6));
  CHECK(first_answer("copies") == doctest::Approx(20'000));
  CHECK(first_answer("serialization") == doctest::Approx(7.64).epsilon(0.001));
  CHECK(first_answer("runs") == doctest::Approx(0.25));
  CHECK(first_answer("aggregation") == doctest::Approx(6.0 / 7));
  CHECK(first_answer("roofline") == doctest::Approx(10e6));
  CHECK(find_calculator("toaster") == nullptr);
}

TEST_CASE(
    "calculators: each has a default per slider, within its limits, and an answer for any value") {
  std::set<std::string> ids;
  for (const Calculator& each : calculators()) {
    CAPTURE(each.id);
    CHECK(ids.insert(each.id).second);
    CHECK(each.first_curve < each.parameters.size());
    REQUIRE_FALSE(each.presets.empty());
    for (const Preset& preset : each.presets) {
      CAPTURE(preset.name);
      REQUIRE(preset.values.size() == each.parameters.size());
      for (std::size_t i = 0; i < preset.values.size(); ++i)
        CHECK(clamped(each.parameters[i], preset.values[i]) == preset.values[i]);
      CHECK_FALSE(each.sentence(preset.values).empty());
    }
    for (const bool most : {false, true}) {
      Values ends;
      for (const Parameter& parameter : each.parameters)
        ends.push_back(most ? parameter.most : parameter.least);
      const double answer = each.answer(ends);
      CHECK(std::isfinite(answer));
      CHECK(answer >= 0);
      CHECK_FALSE(each.sentence(ends).empty());
    }
  }
}

TEST_CASE("calculators: a curve covers a slider's range and contains the current point") {
  for (const Calculator& each : calculators()) {
    CAPTURE(each.id);
    const Values& values = each.presets.front().values;
    const Curve curve = curve_over(each, values, each.first_curve);
    const Parameter& over = each.parameters[each.first_curve];
    REQUIRE(curve.x.size() == curve.y.size());
    REQUIRE(curve.x.size() > 10);
    CHECK(curve.x.front() == over.least);
    CHECK(curve.x.back() == doctest::Approx(over.most));
    CHECK(std::ranges::is_sorted(curve.x));
    const auto near = std::ranges::lower_bound(curve.x, values[each.first_curve]) - curve.x.begin();
    Values there = values;
    there[each.first_curve] = curve.x[static_cast<std::size_t>(near)];
    CHECK(curve.y[static_cast<std::size_t>(near)] == each.answer(there));
  }
}

TEST_CASE("calculators: the best number of copies is the minimum of the curve") {
  const Calculator& copies = calculator("copies");
  for (const Preset& preset : copies.presets) {
    const double best = copies.best(preset.values);
    Values at_best = preset.values;
    at_best[copies.best_of] = best;
    for (const double time : curve_over(copies, preset.values, copies.best_of).y)
      CHECK(time >= copies.answer(at_best) * (1 - 1e-12));
  }
}

TEST_CASE("calculators: slider values are clamped to their limits") {
  const Parameter whole{"n", "n", 1, 100, true, true}, real{"x", "x", 0.5, 3};
  CHECK(clamped(whole, 7.4) == 7);
  CHECK(clamped(whole, 1e9) == 100);
  CHECK(clamped(real, -1) == 0.5);
  CHECK(clamped(real, std::numeric_limits<double>::quiet_NaN()) == 0.5);
  CHECK(calculator("latency").parameter("clock") == 1);
  CHECK_FALSE(calculator("latency").parameter("clocks per day"));
}

TEST_CASE("calculators: measurements of the H200 are shown next to the answers") {
  const Result<MeasuredFigures> figures = read_figures(h200);
  REQUIRE(figures);
  CHECK(figures->known());
  CHECK(figures->device == "NVIDIA H200");
  CHECK(figures->nanoseconds(figures->global_atomic_clocks) ==
        doctest::Approx(figures->global_atomic_clocks / figures->sm_ghz));
  CHECK(figures->request_on_one_word_ns > figures->request_on_32_words_ns);
  for (const char* id :
       {"latency", "cache", "privatization", "addresses", "copies", "serialization", "roofline"}) {
    CAPTURE(id);
    const Calculator& each = calculator(id);
    CHECK_FALSE(each.measured(*figures, each.presets.front().values).empty());
    if (each.as_measured == nullptr) continue;
    const Values values = each.as_measured(*figures, each.presets.front().values);
    REQUIRE(values.size() == each.parameters.size());
    for (std::size_t i = 0; i < values.size(); ++i)
      CHECK(std::abs(clamped(each.parameters[i], values[i]) - values[i]) < 1e-9);
  }
}

TEST_CASE(
    "calculators: a profile without figures has no measurements; an unreadable file is an error") {
  for (const Calculator& each : calculators())
    if (each.measured != nullptr) CHECK(each.measured({}, each.presets.front().values).empty());
  CHECK_FALSE(read_figures("no/such/profile.json"));
  const datasets::TemporaryFolder folder;
  const Result<MeasuredFigures> odd = read_figures(folder.file(
      "profile.json",
      R"({"device": 7, "figures": {"sm_clock": {"value": -1}}, "curves": {"global_red_random_words": {"points": [[2, 1], [1, 5]]}}})"));
  REQUIRE(odd);
  CHECK_FALSE(odd->known());
  CHECK(odd->updates_per_ns.points().empty());
}

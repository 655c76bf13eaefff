#include "viewer/model/throughput.h"

#include <doctest/doctest.h>

namespace histolab::viewer {
namespace {

RunSummary launch() {
  RunSummary run;
  run.lab = "02-atomic-add";
  run.dataset = "english";
  run.length = 1000;
  run.ending = "completed";
  run.counters["histolab__global_atomic_updates.sum"] = 800;
  run.counters["histolab__shared_atomic_updates.sum"] = 200;
  return run;
}

TEST_CASE("throughput: a modelled launch is one point, marked as modelled") {
  RunSummary run = launch();
  run.modelled = Modelled{"h200", "atomics", 0.5, 1.15};
  ThroughputHistory history;
  history.add(run, 3);
  REQUIRE(history.points().size() == 1);
  const ThroughputPoint& point = history.points().front();
  CHECK(point.elements_per_s == doctest::Approx(2e6));
  CHECK(point.atomics_per_s == doctest::Approx(2e6));
  CHECK_FALSE(point.measured);
  CHECK(point.at_s == 3);
  CHECK(point.label == "02-atomic-add, english");
}

TEST_CASE("throughput: each timed sample of a GPU is a point") {
  RunSummary run = launch();
  run.measured = Measured{0.5, {0.4, 0.5, 0.6}};
  ThroughputHistory history;
  history.add(run, 1);
  CHECK(history.points().size() == 3);
  CHECK(history.points().front().measured);
}

TEST_CASE("throughput: a launch without a time or that did not complete is left out and counted") {
  ThroughputHistory history;
  history.add(launch(), 1);
  RunSummary crashed = launch();
  crashed.measured = Measured{0.5, {}};
  crashed.ending = "crashed";
  history.add(crashed, 1);
  CHECK(history.points().empty());
  CHECK(history.left_out() == 2);
}

TEST_CASE("throughput: the number of points is limited") {
  RunSummary run = launch();
  run.measured = Measured{1, {1}};
  ThroughputHistory history;
  for (int i = 0; i < 10'000; ++i) history.add(run, i);
  CHECK(history.points().size() == ThroughputHistory::most_points);
}

}  // namespace
}  // namespace histolab::viewer

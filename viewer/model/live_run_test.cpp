#include "viewer/model/live_run.h"

#include <doctest/doctest.h>

namespace histolab::viewer {
namespace {

Begin two_bins() {
  Begin begin;
  begin.lab = "01-race";
  begin.length = 100;
  begin.grid = 4;
  begin.bin_labels = {"a-m", "n-z"};
  begin.expected = {60, 40};
  return begin;
}

Progress half_way() {
  Progress progress;
  progress.elements_read = 50;
  progress.of_read = {30, 20};
  progress.histogram = {10, 20};
  return progress;
}

Finished ended_with(std::vector<std::uint64_t> histogram, std::string ending = "completed") {
  Finished finished;
  finished.report.ending = std::move(ending);
  finished.report.histogram = std::move(histogram);
  return finished;
}

TEST_CASE("live run: before the first event there is nothing to draw") {
  const LiveRun run;
  CHECK(run.phase() == LiveRun::Phase::idle);
  CHECK(run.bars().empty());
  CHECK(run.fraction_read() == 0);
  CHECK(run.status() == "nothing has run yet");
}

TEST_CASE("live run: during a launch, elements read but not counted are pending") {
  LiveRun run;
  run.apply(two_bins());
  run.apply(half_way());
  const std::vector<Bar> bars = run.bars();
  REQUIRE(bars.size() == 2);
  CHECK(bars[0].label == "a-m");
  CHECK(bars[0].counted == 10);
  CHECK(bars[0].expected == 60);
  CHECK(bars[0].pending == 20);
  CHECK(bars[0].lost == 0);
  CHECK(bars[1].pending == 0);
  CHECK(run.fraction_read() == 0.5);
  CHECK(run.status() == "running: 50 of 100 elements read, block 0 of 4");
}

TEST_CASE("live run: after the launch, missing elements are lost") {
  LiveRun run;
  run.apply(two_bins());
  run.apply(half_way());
  run.apply(ended_with({15, 40}));
  CHECK(run.phase() == LiveRun::Phase::done);
  CHECK(run.bars()[0].lost == 45);
  CHECK(run.bars()[0].pending == 0);
  CHECK(totals(run.bars()).lost == 45);
  CHECK(run.status() == "45 of 100 updates are lost");
  CHECK(run.fraction_read() == 1);
}

TEST_CASE("live run: no loss, a surplus, and a launch that was stopped") {
  LiveRun run;
  run.apply(two_bins());
  run.apply(ended_with({60, 40}));
  CHECK(run.status() == "all 100 updates are counted");
  run.apply(two_bins());
  run.apply(ended_with({61, 42}));
  CHECK(run.bars()[1].surplus == 2);
  CHECK(run.status() == "3 updates too many");
  run.apply(two_bins());
  run.apply(ended_with({1, 2}, "timed_out"));
  CHECK(run.status() == "timed_out");
  CHECK(run.launches() == 3);
}

TEST_CASE("live run: a kernel that does not compile has lost nothing") {
  LiveRun run;
  run.apply(two_bins());
  run.apply(ended_with({}, "compile_error"));
  CHECK(totals(run.bars()).lost == 0);
  CHECK(run.status() == "this kernel does not compile: see the source panel");
}

TEST_CASE("live run: a cut-off stream says so; the next launch starts afresh") {
  LiveRun run;
  run.apply(two_bins());
  run.apply(half_way());
  run.stream_ended();
  CHECK(run.phase() == LiveRun::Phase::cut_off);
  CHECK(run.status() == "the stream ended in the middle of this launch");
  run.apply(two_bins());
  CHECK(run.phase() == LiveRun::Phase::running);
  CHECK(run.bars()[0].counted == 0);
}

TEST_CASE("live run: arrays of the wrong length neither crash nor add bins") {
  LiveRun run;
  run.apply(two_bins());
  Progress wild;
  wild.histogram.assign(1000, ~0ull);
  wild.of_read = {1};
  wild.elements_read = ~0ull;
  run.apply(wild);
  CHECK(run.bars().size() == 2);
  CHECK(run.fraction_read() == 1);
  run.apply(ended_with({}));
  CHECK(run.bars().size() == 2);
}

TEST_CASE("live run: the number of accesses is limited") {
  LiveRun run;
  run.apply(two_bins());
  Accesses many{std::vector<Access>(5000)};
  run.apply(many);
  run.apply(many);
  CHECK(run.accesses().size() == LiveRun::most_accesses);
  run.apply(two_bins());
  CHECK(run.accesses().empty());
}

}  // namespace
}  // namespace histolab::viewer

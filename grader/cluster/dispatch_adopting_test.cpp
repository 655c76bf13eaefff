// Dispatch: takes over the tasks of a process that died.
#include <doctest/doctest.h>

#include "grader/cluster/testing/dispatch_fixture.h"

using namespace histolab;
using namespace histolab::cluster;
using Deed = cluster::testing::FakeCluster::Deed;
using Fixture = cluster::testing::DispatchFixture;
using cluster::testing::FakeCluster;

TEST_CASE("after a kill, running tasks are taken over, and only missing items are submitted") {
  for (const int killed_after : {1, 2, 4, 7}) {
    CAPTURE(killed_after);
    Fixture fixture;
    fixture.slurm.slots = 2;
    fixture.die(killed_after, 60, 3);
    for (int i = 0; i < killed_after; ++i) fixture.slurm.step();  // no process runs
    Dispatch second = fixture.dispatch();
    const std::set<std::string> wanted = fixture.not_found(60);
    REQUIRE(second.adopt(wanted));
    const std::set<std::string> expected = second.expected();
    Chunk left{.items = {}};
    for (const std::string& each : wanted)
      if (!expected.contains(each) && !fixture.found.contains(each))
        left.items.push_back({.grading = each, .lab = "01-race"});
    REQUIRE(second.add(std::move(left)));
    fixture.run_to_the_end(second);
    CHECK(fixture.found.size() == 60);
    for (const auto& [work, times] : fixture.found) CHECK_MESSAGE(times == 1, work);
  }
}

TEST_CASE("times that were measured after the kill are used, and not measured again") {
  for (const int killed_after : {1, 2, 3, 5, 8}) {
    CAPTURE(killed_after);
    Fixture fixture;
    std::map<std::string, int> measured;
    fixture.slurm.slots = 2;
    fixture.slurm.behaviour = [&](const FakeCluster::FakeTask&, const Chunk& chunk) {
      if (chunk.phase == Phase::measure)
        for (const Item& item : chunk.items) ++measured[item.grading];
      return Deed::works;
    };
    fixture.die(killed_after, 24, 3, Phase::measure);
    for (int i = 0; i < 20; ++i) fixture.slurm.step();
    Dispatch second = fixture.dispatch();
    const std::set<std::string> wanted = fixture.not_found(24);
    REQUIRE(second.adopt(wanted));
    const std::set<std::string> expected = second.expected();
    for (const std::string& each : wanted)
      CHECK((expected.contains(each) || fixture.found.contains(each)));
    fixture.run_to_the_end(second);
    CHECK(fixture.found.size() == 24);
    for (const auto& [work, times] : measured) CHECK_MESSAGE(times == 1, work);
    for (const auto& [work, reports] : fixture.all_reports)
      for (const std::string& report : reports) CHECK(report == "times of " + work);
  }
}

TEST_CASE("a task that was just cancelled is not taken over") {
  Fixture fixture;
  fixture.slurm.behaviour = [](const FakeCluster::FakeTask&, const Chunk&) {
    return Deed::is_completing;
  };
  fixture.die(3, 4, 1);
  Dispatch second = fixture.dispatch();
  REQUIRE(second.adopt({"work0", "work1", "work2", "work3"}));
  CHECK(second.expected().empty());
}

TEST_CASE("tasks that are no longer needed are cancelled, and a third process ignores them") {
  Fixture fixture;
  fixture.slurm.slots = 0;
  fixture.die(3, 12, 3);
  const std::set<std::string> wanted = {"work0", "work4", "work5"};
  {
    Dispatch second = fixture.dispatch();
    REQUIRE(second.adopt(wanted));
    CHECK(second.expected() == wanted);
    CHECK(fixture.slurm.cancelled == 2);
  }
  fixture.slurm.slots = 4;
  Dispatch third = fixture.dispatch();
  const Status adopted = third.adopt(wanted);
  REQUIRE_MESSAGE(adopted.ok(), adopted.error().message);
  CHECK(third.expected() == wanted);
  fixture.run_to_the_end(third);
  CHECK(fixture.found.contains("work0"));
  CHECK(fixture.found.contains("work5"));
  CHECK_FALSE(fixture.found.contains("work7"));
}

// Dispatch: the scheduler refuses arrays, does not answer, holds tasks or has no room.
#include <doctest/doctest.h>

#include <algorithm>

#include "grader/cluster/testing/dispatch_fixture.h"

using namespace histolab;
using namespace histolab::cluster;
using Deed = cluster::testing::FakeCluster::Deed;
using Fixture = cluster::testing::DispatchFixture;
using cluster::testing::FakeCluster;

TEST_CASE("no more tasks in the queue than allowed, in few arrays") {
  Fixture fixture;
  fixture.options.most_tasks = 8;
  Dispatch dispatch = fixture.dispatch();
  fixture.add(dispatch, 100, 1);
  fixture.run_to_the_end(dispatch);
  CHECK(fixture.found.size() == 100);
  CHECK(fixture.slurm.most_at_once <= 8);
  CHECK(fixture.slurm.requests.size() <= 50);
}

TEST_CASE("BadConstraints ends the batch if nodes were excluded; otherwise it waits") {
  for (const bool one_is_bad : {false, true}) {
    CAPTURE(one_is_bad);
    Fixture fixture;
    fixture.slurm.slots = 1;
    fixture.slurm.behaviour = [&](const FakeCluster::FakeTask& task, const Chunk&) {
      return one_is_bad && task.state.node == "node2" ? Deed::lacks_something : Deed::works;
    };
    fixture.each_second = [&] {
      if (fixture.beats == 8) fixture.slurm.hold(true, "BadConstraints");
      if (fixture.beats == 60) fixture.slurm.hold(false);
    };
    Dispatch dispatch = fixture.dispatch();
    fixture.add(dispatch, 30, 1);
    const Result<Dispatch::Ending> ended = dispatch.run();
    CHECK(ended.ok() != one_is_bad);
    if (!ended)
      CHECK(ended.error().message.find("no node is left that can grade") != std::string::npos);
    else
      CHECK(fixture.found.size() == 30);
  }
}

TEST_CASE("if a site allows few tasks, arrays become small enough, and nothing is given up") {
  for (const std::size_t most : {std::size_t{1}, std::size_t{5}, std::size_t{40}}) {
    CAPTURE(most);
    Fixture fixture;
    fixture.slurm.most_jobs = most;
    fixture.slurm.of = {.tasks_of_array = 100'001, .jobs = 12'000};
    Dispatch dispatch = fixture.dispatch();
    fixture.add(dispatch, 400, 1);
    fixture.run_to_the_end(dispatch);
    CHECK(fixture.found.size() == 400);
  }
}

TEST_CASE("a scheduler without arrays is reported with its own message") {
  Fixture fixture;
  fixture.slurm.of.tasks_of_array = 0;
  fixture.slurm.refuses = [] { return std::string{"Invalid job array specification"}; };
  Dispatch dispatch = fixture.dispatch();
  fixture.add(dispatch, 3, 1);
  CHECK(dispatch.run().error().message.find("Invalid job array specification") !=
        std::string::npos);
}

TEST_CASE("a long wait is reported once") {
  Fixture fixture;
  fixture.slurm.slots = 0;
  fixture.each_second = [&] { fixture.slurm.slots = fixture.beats > 400 ? 4 : 0; };
  Dispatch dispatch = fixture.dispatch();
  fixture.add(dispatch, 3, 1);
  fixture.run_to_the_end(dispatch);
  CHECK(fixture.reported.find("no task has run for 5 minutes: 3 tasks wait") == 0);
  CHECK(fixture.reported.find("no task", 10) == std::string::npos);
}

TEST_CASE("held tasks are reported soon, though others run, and the batch waits for them") {
  Fixture fixture;
  fixture.slurm.slots = 1;
  fixture.each_second = [&] {
    if (fixture.beats == 3) fixture.slurm.hold(true);
    if (fixture.beats != 400) return;
    CHECK(fixture.found.size() < 30);
    fixture.slurm.hold(false);
  };
  Dispatch dispatch = fixture.dispatch();
  fixture.add(dispatch, 30, 1);
  fixture.run_to_the_end(dispatch);
  CHECK(fixture.reported.find(
            "tasks cannot start without your action; Slurm's reason: JobHeldAdmin") !=
        std::string::npos);
  CHECK(std::ranges::count(fixture.reported, '\n') == 1);
  CHECK(fixture.found.size() == 30);
  CHECK(fixture.slurm.requests.size() == 3);
}

TEST_CASE("a refused array is submitted again, unless it was accepted despite the error") {
  Fixture fixture;
  int refused = 0;
  fixture.slurm.refuses = [&] {
    return ++refused <= 3 ? std::string{"Job violates accounting/QOS policy (job submit limit)"}
                          : std::string{};
  };
  Dispatch dispatch = fixture.dispatch();
  fixture.add(dispatch, 10, 1);
  fixture.run_to_the_end(dispatch);
  CHECK(fixture.found.size() == 10);

  Fixture other;
  int answers = 0;
  other.slurm.refuses = [&] {
    return ++answers == 1 ? std::string{"Socket timed out on send/recv operation"} : std::string{};
  };
  other.slurm.takes_though_it_says_no = true;
  Dispatch second = other.dispatch();
  other.add(second, 10, 1);
  other.run_to_the_end(second);
  CHECK(other.found.size() == 10);
  for (const auto& [work, times] : other.found) CHECK_MESSAGE(times == 1, work);
  CHECK(other.slurm.requests.size() == 1);
}

TEST_CASE("if every array is refused, the batch ends with the scheduler's message") {
  Fixture fixture;
  fixture.slurm.refuses = [] { return std::string{"Invalid partition name specified"}; };
  Dispatch dispatch = fixture.dispatch();
  fixture.add(dispatch, 10, 1);
  const Result<Dispatch::Ending> ended = dispatch.run();
  REQUIRE_FALSE(ended);
  CHECK(ended.error().message.find("Invalid partition name specified") != std::string::npos);
}

TEST_CASE("the batch waits for a scheduler that does not answer, and gives up no task") {
  Fixture fixture;
  fixture.each_second = [&] { fixture.slurm.silent = fixture.beats > 1 && fixture.beats < 60; };
  fixture.slurm.behaviour = [](const FakeCluster::FakeTask&, const Chunk&) { return Deed::works; };
  Dispatch dispatch = fixture.dispatch();
  fixture.add(dispatch, 40, 1);
  fixture.run_to_the_end(dispatch);
  CHECK(fixture.found.size() == 40);
  for (const auto& [work, times] : fixture.found) CHECK_MESSAGE(times == 1, work);
  CHECK(fixture.reported.find("Slurm does not answer") != std::string::npos);
  CHECK(dispatch.totals().submitted_again == 0);
}

TEST_CASE("--cancel ends the batch that is running") {
  Fixture fixture;
  fixture.slurm.behaviour = [](const FakeCluster::FakeTask&, const Chunk&) { return Deed::hangs; };
  fixture.each_second = [&] {
    if (fixture.beats == 3) REQUIRE(fixture.spool.cancel());
  };
  Dispatch dispatch = fixture.dispatch();
  fixture.add(dispatch, 20, 2);
  CHECK((*dispatch.run() == Dispatch::Ending::cancelled));
  REQUIRE(dispatch.cancel());
  CHECK(fixture.slurm.alive() == 0);
}

TEST_CASE("if no node can run a task, the message has the request and the nodes") {
  const std::string expected = "no node has what a task asks for\n  - a task asks for 2 processors";
  Fixture refuses;
  refuses.assignment.jobs = 2;
  refuses.slurm.refuses = [] {
    return std::string{
        "Batch job submission failed: Requested node configuration is not available"};
  };
  Dispatch refused = refuses.dispatch();
  refuses.add(refused, 3, 1);
  const Result<Dispatch::Ending> ended = refused.run();
  REQUIRE_FALSE(ended);
  CHECK_MESSAGE(ended.error().message.find(expected) != std::string::npos, ended.error().message);
  CHECK(ended.error().message.find("partition cpu has 3 nodes with 2 processors and 4000 MiB") !=
        std::string::npos);

  Fixture accepts;  // CR_CPU: Slurm accepts the array and fails its tasks
  accepts.assignment.jobs = 2;
  accepts.slurm.behaviour = [](const FakeCluster::FakeTask&, const Chunk&) {
    return Deed::has_bad_constraints;
  };
  Dispatch accepted = accepts.dispatch();
  accepts.add(accepted, 3, 1);
  accepts.run_to_the_end(accepted);
  REQUIRE(accepts.given_up.size() == 3);
  CHECK(accepts.given_up.begin()->second.find(expected) == 0);
}

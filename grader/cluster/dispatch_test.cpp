#include "grader/cluster/dispatch.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <random>

#include "grader/cluster/testing/dispatch_fixture.h"

using namespace histolab;
using namespace histolab::cluster;
using Deed = cluster::testing::FakeCluster::Deed;
using Fixture = cluster::testing::DispatchFixture;
using cluster::testing::FakeCluster;

TEST_CASE("each result is found once, in arrays no larger than the scheduler accepts") {
  Fixture fixture;
  Dispatch dispatch = fixture.dispatch();
  fixture.add(dispatch, 103, 4);
  fixture.run_to_the_end(dispatch);
  REQUIRE(fixture.found.size() == 103);
  for (const auto& [work, times] : fixture.found) CHECK_MESSAGE(times == 1, work);
  CHECK(fixture.slurm.requests.size() == 3);  // 26 tasks, ten in an array
  for (const ArrayRequest& request : fixture.slurm.requests) CHECK(request.tasks <= 10);
  CHECK(dispatch.totals().tasks == 26);
  CHECK(dispatch.totals().nodes.size() == 3);
}

TEST_CASE("a failing task is submitted again three times, then only the failing item is given up") {
  Fixture fixture;
  fixture.slurm.behaviour = [&](const FakeCluster::FakeTask&, const Chunk& chunk) {
    return std::ranges::any_of(chunk.items,
                               [](const Item& item) { return item.grading == "work5"; })
               ? Deed::fails
               : Deed::works;
  };
  Dispatch dispatch = fixture.dispatch();
  fixture.add(dispatch, 32, 16);
  fixture.run_to_the_end(dispatch);
  REQUIRE(fixture.given_up.size() == 1);  // in smaller pieces each time, finally alone
  CHECK(fixture.given_up.contains("work5"));
  CHECK(fixture.given_up.at("work5").find("it ended with exit code 1") != std::string::npos);
  CHECK(fixture.most_tries == 4);
  CHECK(fixture.found.size() == 31);
  CHECK(fixture.reported.empty());  // no node is to blame
}

TEST_CASE("a task whose time runs out costs no try if it found something") {
  Fixture fixture;
  fixture.slurm.behaviour = [](const FakeCluster::FakeTask&, const Chunk& chunk) {
    return chunk.items.size() > 1 ? Deed::works_half : Deed::works;
  };
  Dispatch dispatch = fixture.dispatch();
  fixture.add(dispatch, 200, 100);
  fixture.run_to_the_end(dispatch);
  CHECK(fixture.found.size() == 200);
  CHECK(fixture.given_up.empty());
}

TEST_CASE("tasks that vanish, restart, run twice or write late: every result is found") {
  for (const Deed deed :
       {Deed::vanishes, Deed::node_dies_and_it_runs_again, Deed::runs_twice, Deed::writes_late}) {
    CAPTURE(static_cast<int>(deed));
    Fixture fixture;
    fixture.slurm.behaviour = [&](const FakeCluster::FakeTask& task, const Chunk&) {
      return task.index % 3 == 1 && task.begun == 1 && task.number < 3 ? deed : Deed::works;
    };
    Dispatch dispatch = fixture.dispatch();
    fixture.add(dispatch, 60, 3);
    fixture.run_to_the_end(dispatch);
    CHECK(fixture.found.size() == 60);
    CHECK(fixture.given_up.empty());
    const bool twice =
        std::ranges::any_of(fixture.found, [](const auto& each) { return each.second > 1; });
    CHECK(twice == (deed == Deed::runs_twice));
  }
}

TEST_CASE("a shared directory that shows a file late costs no second run") {
  Fixture fixture;
  fixture.slurm.behaviour = [](const FakeCluster::FakeTask&, const Chunk&) {
    return Deed::writes_late;
  };
  Dispatch dispatch = fixture.dispatch();
  fixture.add(dispatch, 20, 2);
  fixture.run_to_the_end(dispatch);
  CHECK(dispatch.totals().submitted_again == 0);
  CHECK(fixture.found.size() == 20);
}

TEST_CASE("a node that lacks something is excluded from then on") {
  for (const Deed deed : {Deed::lacks_something, Deed::has_no_spool}) {
    Fixture fixture;
    int on_bad_node = 0;
    fixture.slurm.behaviour = [&](const FakeCluster::FakeTask& task, const Chunk&) {
      return task.state.node == "node2" ? (++on_bad_node, deed) : Deed::works;
    };
    Dispatch dispatch = fixture.dispatch();
    fixture.add(dispatch, 40, 1);
    fixture.run_to_the_end(dispatch);
    CHECK(fixture.found.size() == 40);
    CHECK(fixture.given_up.empty());
    CHECK(fixture.reported.find("node2 cannot grade and is excluded from now on") !=
          std::string::npos);
    CHECK(fixture.reported.find("node2", fixture.reported.find("node2") + 1) ==
          std::string::npos);  // reported once
    CHECK(on_bad_node <= 14);  // submitted before the node was excluded
    CHECK(fixture.nodes == std::set<std::string>{"node1", "node3"});
  }
}

TEST_CASE("a node that fails fast and silently is excluded") {
  Fixture fixture;
  int on_bad_node = 0;
  fixture.slurm.of.tasks_of_array = 100;
  fixture.slurm.behaviour = [&](const FakeCluster::FakeTask& task, const Chunk&) {
    return task.state.node == "node2" ? (++on_bad_node, Deed::fails) : Deed::works;
  };
  Dispatch dispatch = fixture.dispatch();
  fixture.add(dispatch, 90, 1);
  fixture.run_to_the_end(dispatch);
  CHECK(fixture.found.size() == 90);
  CHECK(fixture.given_up.empty());
  CHECK(fixture.reported.find("node2 cannot grade and is excluded from now on: 3 tasks in a row "
                              "failed there without a result") != std::string::npos);
}

TEST_CASE("a node that has graded is not excluded if it lacks something for a moment") {
  Fixture fixture;
  int hiccups = 0;
  fixture.slurm.behaviour = [&](const FakeCluster::FakeTask&, const Chunk&) {
    return fixture.found.size() > 10 && hiccups < 2 ? (++hiccups, Deed::lacks_something)
                                                    : Deed::works;
  };
  Dispatch dispatch = fixture.dispatch();
  fixture.add(dispatch, 40, 1);
  fixture.run_to_the_end(dispatch);
  CHECK(fixture.found.size() == 40);
  CHECK(fixture.reported.empty());
}

TEST_CASE("if an excluded node still gets tasks, they cost tries, so the batch ends") {
  Fixture fixture;
  fixture.slurm.nodes = {"node2"};
  fixture.slurm.ignores_exclusion = true;
  fixture.slurm.behaviour = [](const FakeCluster::FakeTask&, const Chunk&) {
    return Deed::lacks_something;
  };
  Dispatch dispatch = fixture.dispatch();
  fixture.add(dispatch, 6, 3);
  fixture.run_to_the_end(dispatch);
  CHECK(fixture.given_up.size() == 6);
}

TEST_CASE("the user's excluded nodes and the batch's are excluded together") {
  Fixture fixture;
  fixture.options.excluded = {"node1"};
  fixture.slurm.behaviour = [](const FakeCluster::FakeTask& task, const Chunk&) {
    return task.state.node == "node2" ? Deed::lacks_something : Deed::works;
  };
  Dispatch dispatch = fixture.dispatch();
  fixture.add(dispatch, 30, 1);
  fixture.run_to_the_end(dispatch);
  CHECK(fixture.found.size() == 30);
  CHECK(fixture.nodes == std::set<std::string>{"node3"});
  CHECK(fixture.slurm.requests.back().excluded == std::vector<std::string>{"node1", "node2"});
}

TEST_CASE("an unavailable directory costs no try on nodes that have graded, however long") {
  Fixture fixture;
  fixture.slurm.slots = 6;
  fixture.slurm.behaviour = [&](const FakeCluster::FakeTask&, const Chunk&) {
    return fixture.beats > 5 && fixture.beats < 900 ? Deed::has_no_spool : Deed::works;
  };
  Dispatch dispatch = fixture.dispatch();
  fixture.add(dispatch, 200, 5);
  fixture.run_to_the_end(dispatch);
  CHECK(fixture.found.size() == 200);
  CHECK(fixture.given_up.empty());
  CHECK(fixture.reported.find("node1 has graded before but cannot find") != std::string::npos);
  CHECK(std::ranges::count(fixture.reported, '\n') <= 6);
  for (const ArrayRequest& request : fixture.slurm.requests)
    for (const Array array = *fixture.spool.array(std::stoul(request.arguments.front()));
         const std::size_t number : array.chunks)
      CHECK(fixture.spool.chunk(number)->tries == 0);
}

TEST_CASE("a task that its node could not start is submitted again, and finally given up") {
  Fixture fixture;
  fixture.slurm.behaviour = [](const FakeCluster::FakeTask& task, const Chunk& chunk) {
    return chunk.items.front().grading == "work7" || (task.number == 1 && task.index < 4)
               ? Deed::cannot_begin
               : Deed::works;
  };
  Dispatch dispatch = fixture.dispatch();
  fixture.add(dispatch, 20, 1);
  fixture.run_to_the_end(dispatch);
  CHECK(fixture.found.size() == 19);
  CHECK(fixture.given_up ==
        std::map<std::string, std::string>{
            {"work7", "Slurm: the node could not start it (launch failed requeued held)"}});
}

TEST_CASE("a task that the user cancelled is not submitted again") {
  Fixture fixture;
  fixture.slurm.behaviour = [](const FakeCluster::FakeTask& task, const Chunk&) {
    return task.index == 2 ? Deed::is_cancelled : Deed::works;
  };
  Dispatch dispatch = fixture.dispatch();
  fixture.add(dispatch, 30, 3);
  fixture.run_to_the_end(dispatch);
  CHECK(dispatch.cancelled_by_others() == 3);
  CHECK(fixture.found.size() == 27);
  CHECK(fixture.slurm.requests.size() == 1);
}

TEST_CASE("times are measured first, in tasks of their own partition, then judged with") {
  Fixture fixture;
  fixture.options.partition = "cpu";
  fixture.options.timing_partition = "gpu";
  fixture.options.gres = "gpu:1";
  fixture.slurm.behaviour = [](const FakeCluster::FakeTask& task, const Chunk& chunk) {
    if (chunk.phase == Phase::measure && task.number == 1 && task.index == 0)
      return Deed::works_half;
    const bool fails = chunk.phase == Phase::judge && chunk.number % 3 == 0 && chunk.tries == 0;
    return fails ? Deed::fails : Deed::works;
  };
  Dispatch dispatch = fixture.dispatch();
  fixture.add(dispatch, 20, 4, Phase::measure);
  fixture.run_to_the_end(dispatch);
  REQUIRE(fixture.reports.size() == 20);
  for (const auto& [work, reports] : fixture.all_reports)
    for (const std::string& report : reports)
      CHECK(report == "times of " + work);  // no judgement without times
  for (const ArrayRequest& request : fixture.slurm.requests) {
    const Chunk first = *fixture.spool.chunk(
        fixture.spool.array(std::stoul(request.arguments.front()))->chunks.front());
    CHECK(request.partition == (first.phase == Phase::measure ? "gpu" : "cpu"));
    CHECK(request.gres == (first.phase == Phase::measure ? "gpu:1" : ""));
  }
}

TEST_CASE("a damaged part, or a part of another batch, is ignored, and its task is missed") {
  Fixture fixture;
  grader::testing::put(fixture.spool.folder() + "/results/1-0-x.json", "{\"schema\":");
  Part foreign;
  foreign.spool = "another";
  foreign.array = 1;
  foreign.found = {{"work0", {"passed", 10, "{}", 1, "nowhere"}}};
  REQUIRE(fixture.spool.put(foreign, "foreign"));
  Dispatch dispatch = fixture.dispatch();
  fixture.add(dispatch, 4, 2);
  fixture.run_to_the_end(dispatch);
  CHECK(fixture.found.size() == 4);
  CHECK(fixture.nodes.count("nowhere") == 0);
  CHECK(fixture.reported.find("1-0-x.json is ignored") != std::string::npos);
}

TEST_CASE("a hundred clusters with random faults: every result is found") {
  std::mt19937 generator{20261124};
  const auto random = [&] { return static_cast<unsigned>(generator()); };
  for (int run = 0; run < 100; ++run) {
    CAPTURE(run);
    Fixture fixture;
    fixture.slurm.slots = 1 + random() % 6;
    fixture.slurm.of.tasks_of_array = 1 + random() % 12;
    const unsigned trouble = 2 + random() % 12;
    fixture.slurm.behaviour = [&](const FakeCluster::FakeTask&, const Chunk& chunk) {
      constexpr Deed deeds[] = {Deed::fails,      Deed::works_half,
                                Deed::vanishes,   Deed::node_dies_and_it_runs_again,
                                Deed::runs_twice, Deed::writes_late};
      return chunk.tries >= 3 || random() % trouble != 0 ? Deed::works
                                                         : deeds[random() % std::size(deeds)];
    };
    fixture.slurm.refuses = [&] {
      return random() % 8 == 0 ? std::string{"Resource temporarily unavailable"} : std::string{};
    };
    fixture.each_second = [&] { fixture.slurm.silent = random() % 10 == 0; };
    Dispatch dispatch = fixture.dispatch();
    fixture.add(dispatch, 50, 1 + random() % 9, run % 2 == 0 ? Phase::whole : Phase::measure);
    fixture.run_to_the_end(dispatch);
    CHECK(fixture.found.size() == 50);
    CHECK(fixture.given_up.empty());
  }
}

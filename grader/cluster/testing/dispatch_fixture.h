// DispatchFixture: a Dispatch on a FakeCluster, with the results of its items. Each beat is one
// second of the cluster's time.
#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <map>
#include <set>
#include <string>

#include "grader/cluster/dispatch.h"
#include "grader/cluster/testing/fake_cluster.h"
#include "grader/testing/sample.h"

namespace histolab::cluster::testing {

struct DispatchFixture {
  DispatchFixture() {
    assignment = *spool.make({});
    options.beat = std::chrono::seconds{1};
    options.poll = std::chrono::seconds{1};
    options.grace = std::chrono::seconds{5};
    options.rest = [this](std::chrono::milliseconds time) {
      clock += time;
      slurm.step();
      if (each_second) each_second();
      REQUIRE(++beats < 5000);  // else the batch never ends
    };
    options.now = [this] { return clock; };
    events.found = [this](const Part& part) -> Status {
      for (const Found& each : part.found) {
        if (each.outcome.status.empty()) continue;
        ++found[each.grading];
        reports[each.grading] = each.outcome.report;
        all_reports[each.grading].insert(each.outcome.report);
        nodes.insert(part.node.name);
      }
      return Done{};
    };
    events.given_up = [this](const std::vector<std::string>& gradings, int tries,
                             const Failure& failure) -> Status {
      for (const std::string& each : gradings) given_up[each] = failure.why;
      most_tries = std::max(most_tries, tries);
      return Done{};
    };
    events.report = [this](const std::string& text) { reported += text + "\n"; };
  }
  Dispatch dispatch() { return {slurm, spool, assignment, options, events}; }
  // Adds `count` items in chunks of `of`.
  void add(Dispatch& to, std::size_t count, std::size_t of, Phase phase = Phase::whole) {
    for (std::size_t begin = 0; begin < count; begin += of) {
      Chunk chunk{.phase = phase, .items = {}};
      for (std::size_t i = begin; i < std::min(begin + of, count); ++i)
        chunk.items.push_back({.grading = name_of(i), .lab = "01-race"});
      REQUIRE(to.add(std::move(chunk)));
    }
  }
  static std::string name_of(std::size_t i) { return "work" + std::to_string(i); }
  // Runs a process with `count` items that dies at this beat.
  void die(int at_beat, std::size_t count, std::size_t of, Phase phase = Phase::whole) {
    DispatchEvents until_then = events;
    until_then.stopped = [this, at_beat] { return beats >= at_beat; };
    Dispatch dying{slurm, spool, assignment, options, until_then};
    add(dying, count, of, phase);
    CHECK((*dying.run() == Dispatch::Ending::stopped));
  }
  // The names among `count` items that have no result.
  std::set<std::string> not_found(std::size_t count) const {
    std::set<std::string> names;
    for (std::size_t i = 0; i < count; ++i)
      if (!found.contains(name_of(i))) names.insert(name_of(i));
    return names;
  }
  void run_to_the_end(Dispatch& dispatch) {
    const Result<Dispatch::Ending> ended = dispatch.run();
    REQUIRE_MESSAGE(ended.ok(), ended.error().message);
    CHECK((*ended == Dispatch::Ending::settled));
    CHECK(spool.parts()->empty());
  }

  grader::testing::TemporaryFolder folder;
  Spool spool{folder.at("slurm")};
  Assignment assignment;
  DispatchOptions options;
  DispatchEvents events;
  FakeCluster slurm{spool, assignment};
  std::chrono::steady_clock::time_point clock{};
  std::function<void()> each_second;
  std::map<std::string, int> found;
  std::map<std::string, std::string> reports, given_up;
  std::map<std::string, std::set<std::string>> all_reports;
  std::set<std::string> nodes;
  std::string reported;
  int most_tries = 0, beats = 0;
};

}  // namespace histolab::cluster::testing

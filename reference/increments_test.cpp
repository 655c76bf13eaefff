#include "reference/increments.h"

#include <doctest/doctest.h>

#include <map>
#include <set>

namespace histolab::reference {
namespace {

std::vector<std::uint32_t> memory(const Trace& trace) {
  std::vector<std::uint32_t> values;
  for (const TraceStep& step : trace.steps) values.push_back(step.memory_after);
  return values;
}

TEST_CASE("the lecture's four scenarios: two count both updates, two lose one") {
  const std::vector<Scenario>& scenarios = lecture_scenarios();
  REQUIRE(scenarios.size() == 4);
  for (std::size_t i = 0; i < 4; ++i) {
    CAPTURE(i);
    const Trace trace = play({}, scenarios[i].order);
    CHECK(trace.final_value == (i < 2 ? 2 : 1));
    REQUIRE(trace.lost.size() == (i < 2 ? 0 : 1));
    if (i < 2) continue;
    const std::uint32_t loser = i == 2 ? 0 : 1;
    CHECK(trace.lost[0].thread == loser);
    CHECK(trace.lost[0].stored_at == 3);
    CHECK(trace.lost[0].lost_loaded_at == 2);
    CHECK(trace.lost[0].lost_at == 5);
    CHECK(trace.steps[5].thread == 1 - loser);
  }
}

TEST_CASE("each step's register and memory") {
  const Trace trace = play({}, lecture_scenarios()[2].order);
  CHECK(memory(trace) == std::vector<std::uint32_t>{0, 0, 0, 1, 1, 1});
  using enum IncrementStep;
  const IncrementStep steps[] = {load, add, load, store, add, store};
  const std::uint32_t after[] = {0, 1, 0, 1, 1, 1};
  for (std::size_t i = 0; i < 6; ++i) {
    CAPTURE(i);
    CHECK(trace.steps[i].step == steps[i]);
    CHECK(trace.steps[i].register_after == after[i]);
    CHECK(trace.steps[i].register_before.has_value() == (steps[i] != load));
    CHECK(trace.steps[i].memory_before == (i == 0 ? 0 : trace.steps[i - 1].memory_after));
  }
}

TEST_CASE("four increments of two threads can leave 2") {
  // T1 loads 0; T2 makes one increment; T1 stores 1; T2 loads 1; T1 makes its second increment; T2
  // stores 2.
  const Trace trace = play({2, 2, false}, {0, 0, 1, 1, 1, 0, 1, 1, 0, 0, 0, 1});
  CHECK(trace.final_value == 2);
  REQUIRE(trace.lost.size() == 2);
  CHECK(trace.lost[0].stored_at == 4);  // T2's first, by T1's first
  CHECK(trace.lost[0].lost_at == 5);
  CHECK(trace.lost[1].stored_at == 10);  // T1's second, by T2's second
  CHECK(trace.lost[1].lost_at == 11);
}

TEST_CASE("an update that is overwritten but was loaded in time arrives") {
  // T1 stores 1, T3 loads it, T2 (which loaded 0) overwrites it with 1, T3 stores 2: T2's
  // update is lost.
  const Trace trace = play({3, 1, false}, {1, 1, 0, 0, 0, 2, 1, 2, 2});
  CHECK(trace.final_value == 2);
  REQUIRE(trace.lost.size() == 1);
  CHECK(trace.lost[0].thread == 1);
  CHECK(trace.lost[0].lost_at == 8);
}

TEST_CASE("as many updates are lost as are missing, whatever the interleaving") {
  for (const Increments& shape : {Increments{2, 1, false},
                                  {2, 3, false},
                                  {3, 2, false},
                                  {5, 4, false},
                                  {32, 1, false},
                                  {1, 3, false},
                                  {4, 4, true},
                                  {32, 2, true}})
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
      const Trace trace = play(shape, random_interleaving(shape, seed));
      REQUIRE(trace.lost.size() == shape.expected() - trace.final_value);
      if (shape.atomic || shape.threads == 1) REQUIRE(trace.final_value == shape.expected());
      for (const LostUpdate& lost : trace.lost) {
        REQUIRE(trace.steps[lost.stored_at].thread == lost.thread);
        REQUIRE(lost.stored_at < lost.lost_at);
        REQUIRE(lost.lost_loaded_at.has_value());
        REQUIRE(*lost.lost_loaded_at < lost.lost_at);
        REQUIRE(trace.steps[lost.lost_at].thread == trace.steps[*lost.lost_loaded_at].thread);
      }
    }
}

TEST_CASE("seeds reach every interleaving about equally often, and each always the same") {
  std::map<Interleaving, int> seen;
  for (std::uint64_t seed = 0; seed < 4000; ++seed) ++seen[random_interleaving({}, seed)];
  CHECK(seen.size() == 20);
  for (const auto& [order, times] : seen) {
    CHECK(times > 120);  // 200 expected
    CHECK(times < 280);
  }
  CHECK(random_interleaving({3, 2, false}, 7) == random_interleaving({3, 2, false}, 7));
}

TEST_CASE("atomicAdd: one step, which returns what it found") {
  const Trace trace = play({2, 1, true}, {1, 0});
  REQUIRE(trace.steps.size() == 2);
  CHECK(trace.steps[0].thread == 1);
  CHECK(trace.steps[0].register_after == 0);
  CHECK(trace.steps[1].register_after == 1);
  CHECK(trace.final_value == 2);
}

}  // namespace
}  // namespace histolab::reference

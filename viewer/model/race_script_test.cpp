#include "viewer/model/race_script.h"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "grader/race/race_report.h"

using namespace histolab;
using namespace histolab::viewer;
using nlohmann::json;
using reference::Increments;

namespace {

RaceScript scenario(std::size_t number) {
  return {Increments{}, reference::lecture_scenarios()[number - 1].order};
}

std::vector<std::uint32_t> order_of(const RaceScript& script) {
  std::vector<std::uint32_t> order;
  for (const RaceStep& step : script.steps()) order.push_back(step.thread);
  return order;
}

json recorded(int thread, const char* operation, json before, json after, int line = 7,
              const char* variable = "histo", int index = 0) {
  return {{"thread", thread},
          {"operation", operation},
          {"register", {{"before", nullptr}, {"after", before}}},
          {"memory", {{"before", before}, {"after", after}}},
          {"variable", variable},
          {"index", index},
          {"line", line}};
}

json recording(int threads, json steps) {
  return {{"schema", "histolab/race/1"},
          {"threads", threads},
          {"kernel", "work/01-race.cu"},
          {"trace", {{"steps", std::move(steps)}, {"message", "as the command says"}}}};
}

}  // namespace

TEST_CASE("race script: forward and back through a scenario") {
  RaceScript script = scenario(3);  // T1's update is lost
  CHECK(script.steps().size() == 6);
  CHECK(script.made() == 0);
  CHECK(script.last() == nullptr);
  CHECK(script.cells().size() == 1);
  CHECK(script.touched_last()->value == 0u);
  CHECK_FALSE(script.register_of(0));
  script.back();
  CHECK(script.made() == 0);
  for (int step = 0; step < 4; ++step) script.forward();
  CHECK(script.sentence() == "T1 stores 1 into histo[b], which held 0.");
  CHECK(script.touched_last()->value == 1u);
  CHECK(script.register_of(1) == 0u);
  CHECK(script.missing() == 0);
  script.go_to(100);
  CHECK(script.ended());
  CHECK(script.touched_last()->value == 1u);
  CHECK(script.missing() == 1);
  CHECK(script.loses());
  CHECK(script.sentence() ==
        grader::verdict(reference::play({}, reference::lecture_scenarios()[2].order)));
  CHECK(script.steps()[5].remark == "loses T1's update");
  CHECK(script.steps()[3].lost_at == 5);
  script.back();
  CHECK(script.made_by(1) == 2);
  CHECK(script.missing() == 0);
}

TEST_CASE("race script: a thread may step out of turn, which changes later steps") {
  RaceScript script = scenario(1);  // T1 entirely before T2
  script.step(0);
  CHECK_FALSE(script.rearranged());
  script.step(1);  // out of turn: T2 loads before T1 has stored
  CHECK(script.rearranged());
  CHECK(order_of(script) == std::vector<std::uint32_t>{0, 1, 0, 0, 1, 1});
  CHECK(script.made() == 2);
  CHECK(script.loses());
  script.go_to(1);
  script.step(0);
  script.step(0);
  CHECK(order_of(script) == std::vector<std::uint32_t>{0, 0, 0, 1, 1, 1});
  CHECK_FALSE(script.can_step(0));
  script.step(0);  // has no steps left
  CHECK(script.made() == 3);
  while (!script.ended()) script.step(1);
  CHECK_FALSE(script.loses());
  CHECK(script.touched_last()->value == 2u);
}

TEST_CASE("race script: clicking reaches every interleaving") {
  const Increments shape{3, 2, false};
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    RaceScript script{shape, reference::random_interleaving(shape, 100)};
    const reference::Interleaving wanted = reference::random_interleaving(shape, seed);
    for (const std::uint32_t thread : wanted) script.step(thread);
    CHECK(order_of(script) == wanted);
    const reference::Trace trace = reference::play(shape, wanted);
    CHECK(script.touched_last()->value == trace.final_value);
    CHECK(script.missing() == trace.lost.size());
  }
}

TEST_CASE("race script: atomic additions lose nothing in any order") {
  RaceScript script{{4, 4, true}, reference::random_interleaving({4, 4, true}, 1)};
  script.step(1);
  CHECK(script.sentence() == "T2's atomicAdd reads 0 from histo[b] and leaves 1, in one step.");
  while (!script.ended()) script.forward();
  CHECK(script.touched_last()->value == 16u);
  CHECK_FALSE(script.loses());
}

TEST_CASE("race script: a recording of increments allows any order and keeps its lines") {
  Result<RaceScript> script = RaceScript::of_recording(
      recording(2, {recorded(1, "load", 0, 0, 7), recorded(2, "load", 0, 0, 7),
                    recorded(2, "store", 0, 1, 8), recorded(1, "store", 1, 1, 8)}));
  REQUIRE(script);
  CHECK(script->any_order());
  CHECK(script->kernel() == "work/01-race.cu");
  CHECK(script->shape()->increments == 1);
  CHECK(order_of(*script) == std::vector<std::uint32_t>{0, 0, 1, 1, 1, 0});
  CHECK(script->loses());
  CHECK(script->steps().back().line == 8);
  CHECK(script->cells().front().place == "histo[0]");
  for (int step = 0; step < 3; ++step) script->step(1);
  CHECK(script->steps()[0].line == 7);
  CHECK(script->steps()[2].line == 8);
  CHECK_FALSE(script->loses());
}

TEST_CASE("race script: a recording of atomic additions") {
  const Result<RaceScript> script = RaceScript::of_recording(
      recording(2, {recorded(2, "atomic", 0, 1), recorded(1, "atomic", 1, 2)}));
  REQUIRE(script);
  CHECK(script->any_order());
  CHECK(script->shape()->atomic);
}

TEST_CASE("race script: `histolab race --json` prints a valid recording") {
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    const Increments shape{3, 2, seed == 0};
    const Result<RaceScript> script =
        RaceScript::of_recording(json::parse(grader::to_json(grader::race_of_seed(shape, seed))));
    REQUIRE(script);
    CHECK(order_of(*script) == reference::random_interleaving(shape, seed));
  }
}

TEST_CASE("race script: any other recording only steps in its recorded order") {
  json steps = {recorded(1, "store", nullptr, 0, 4, "private_histo", 0),
                recorded(2, "atomic", 0, 1, 9, "private_histo", 0),
                recorded(1, "load", 1, 1, 12, "private_histo", 0),
                recorded(1, "atomic", 0, 1, 12, "histo", 3)};
  json report = recording(2, steps);
  report["trace"]["lost"] = json::array({{{"thread", 1}, {"stored_at", 1}, {"overwritten_at", 2}}});
  Result<RaceScript> script = RaceScript::of_recording(report);
  REQUIRE(script);
  CHECK_FALSE(script->any_order());
  CHECK_FALSE(script->can_step(1));
  script->step(1);
  CHECK(script->made() == 0);
  CHECK(script->can_step(0));
  script->step(0);
  script->forward();
  CHECK(script->steps()[1].remark == "loses T1's update");
  CHECK(script->cells().size() == 2);
  script->go_to(4);
  CHECK(script->touched_last()->place == "histo[3]");
  CHECK(script->cells()[0].value == 1u);
  CHECK(script->sentence() == "as the command says");
  script->go_to(0);
  CHECK_FALSE(script->cells()[0].value);
  CHECK(script->cells()[1].value == 0u);
  script->forward();
  CHECK(script->sentence() == "T1 stores 0 into private_histo[0], which held an unset value.");
}

TEST_CASE("race script: a recording with other values does not count as increments") {
  const auto any_order = [](json steps) {
    return RaceScript::of_recording(recording(2, std::move(steps)))->any_order();
  };
  CHECK_FALSE(
      any_order({recorded(1, "load", 0, 0), recorded(1, "store", 0, 5)}));  // one thread makes none
  CHECK_FALSE(
      any_order({recorded(1, "atomicAdd", 0, 5), recorded(2, "atomicAdd", 5, 6)}));  // adds five
  CHECK_FALSE(any_order(
      {recorded(1, "atomicAdd", 3, 4), recorded(2, "atomicAdd", 4, 5)}));  // does not begin with 0
  CHECK_FALSE(any_order({recorded(1, "load", 0, 0), recorded(2, "load", 0, 0),
                         recorded(2, "store", 0, 1)}));  // a store is missing
  CHECK_FALSE(any_order({recorded(1, "atomicAdd", 0, 1), recorded(2, "load", 1, 1),
                         recorded(2, "store", 1, 2)}));  // mixed
  CHECK_FALSE(any_order({recorded(1, "atomicAdd", 0, 1),
                         recorded(2, "atomicAdd", 0, 1, 7, "histo", 1)}));  // two bins
}

TEST_CASE("race script: invalid reports are errors") {
  CHECK_FALSE(RaceScript::of_recording(json()));
  CHECK_FALSE(RaceScript::of_recording({{"trace", 7}}));
  CHECK(RaceScript::of_recording(recording(2, json::array())).error().message ==
        "as the command says");
  CHECK_FALSE(RaceScript::of_recording(recording(2, {recorded(0, "load", 0, 0)})));
  CHECK_FALSE(RaceScript::of_recording(recording(2, {recorded(9, "load", 0, 0)})));
  CHECK_FALSE(RaceScript::of_recording(recording(2, json::array({7}))));
  const Result<RaceScript> odd =
      RaceScript::of_recording(recording(-5, {recorded(3, "exchange", -1, 1 << 30, -9)}));
  REQUIRE(odd);
  CHECK(odd->steps()[0].operation == "atomicExch");
  CHECK(odd->threads() == 3);
  CHECK(odd->steps()[0].line == 0);
  const Result<RaceScript> hostile = RaceScript::of_recording(
      recording(2, {recorded(1, "\x1b[2J", 0, 0, 7, "a\x7f", 0), recorded(2, "load", 0, 0)}));
  REQUIRE(hostile);
  CHECK(hostile->steps()[0].operation == "?[2J");
  CHECK(hostile->cells()[0].place == "a?[0]");
  CHECK(RaceScript::of_recording(recording(2, json::array({"\x1b\u202e"}))).error().message ==
        R"(cannot interpret step 1 of this recording: "\u001b\u202e")");
  json many = json::array();
  for (int i = 0; i < 5000; ++i) many.push_back(recorded(1, "load", 0, 0, 1, "histo", i));
  const Result<RaceScript> long_one = RaceScript::of_recording(recording(2, many));
  REQUIRE(long_one);
  CHECK(long_one->steps().size() == RaceScript::most_steps);
  CHECK(long_one->cut());
}

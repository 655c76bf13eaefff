#include "grader/checks/recorded.h"

#include <doctest/doctest.h>

#include <filesystem>

#include "grader/testing/files.h"
#include "grader/testing/sample.h"

using namespace histolab;
using namespace histolab::grader;
using grader::testing::put;
using grader::testing::TemporaryFolder;

namespace {

const Recorded sample{.seed = 1,
                      .profile = "h200",
                      .times = {{"large", "02-sample", 0.0715}},
                      .counters = {{"letters-256", "loads", {7, 8.5}}}};

}  // namespace

TEST_CASE("recorded numbers are read as they were written") {
  const TemporaryFolder labs;
  testing::put_sample_lab(labs.path());
  const LabSpec lab = testing::sample_lab_in(labs.path());
  CHECK_FALSE(read_recorded(lab)->has_value());
  put(recorded_path(lab), to_json(sample));
  const auto read = read_recorded(lab);
  REQUIRE_MESSAGE(read.ok(), read.error().message);
  CHECK(to_json(**read) == to_json(sample));
  CHECK((*read)->ms("large", "02-sample") == 0.0715);
  CHECK_FALSE((*read)->ms("large", "01-other").has_value());
  CHECK((*read)->counter("letters-256", "loads", 2) == 8.5);
  for (const std::size_t launch : {0u, 3u})
    CHECK_FALSE((*read)->counter("letters-256", "loads", launch).has_value());
  for (
      const char* broken :
      {"{", "[]", R"({"schema": "histolab/recorded/2"})",
       R"({"schema": "histolab/recorded/1", "seed": 1, "profile": "h200", "times": [{}], "counters": []})",
       R"({"schema": "histolab/recorded/1", "seed": 1, "profile": "h200", "times": [], "counters": [{"case": "a", "counter": "b", "launches": ["c"]}]})"}) {
    put(recorded_path(lab), broken);
    CHECK_FALSE_MESSAGE(read_recorded(lab).ok(), broken);
  }
}

TEST_CASE("recorded numbers are used only without a solution, for their seed and profile") {
  const TemporaryFolder labs;
  testing::put_sample_lab(labs.path());
  const LabSpec lab = testing::sample_lab_in(labs.path());
  put(recorded_path(lab), to_json(sample));
  CHECK_FALSE(has_recorded_only(lab));
  CHECK(read_solution(lab).ok());
  CHECK_FALSE(recorded_ms(lab, "large", "02-sample", 1, "h200")->has_value());

  std::filesystem::remove(lab.solution_path());
  CHECK(has_recorded_only(lab));
  CHECK(read_solution(lab).error().message ==
        "the student edition has no solution of 02-sample; ask your instructor");
  CHECK(*recorded_ms(lab, "large", "02-sample", 1, "h200") == 0.0715);
  CHECK_FALSE(recorded_ms(lab, "large", "02-sample", 2, "h200")->has_value());
  CHECK_FALSE(recorded_ms(lab, "large", "02-sample", 1, "a100")->has_value());
  CHECK(recorded_counter(lab, 1, "letters-256", "loads", 1) == 7);
  CHECK_FALSE(recorded_counter(lab, 2, "letters-256", "loads", 1).has_value());

  LabSpec timed = lab;
  timed.timed.emplace_back().id = "large";
  CheckSpec check;
  check.id = "fast";
  check.kind = CheckKind::within_of_solution;
  check.points = 1;
  check.timed = {0};
  check.factor = 3;
  CHECK(why_not_timed(timed, check, 1, "h200")->empty());
  CHECK(*why_not_timed(timed, check, 7, "h200") ==
        "its time is compared with a solution, and the student edition has no times for seed 7");
}

// expects_finding and counter_at_least: checks of a lab that requires a kernel with a race.
#include <doctest/doctest.h>

#include "grader/pipeline/pipeline.h"
#include "grader/testing/fake_device.h"
#include "grader/testing/sample.h"

using namespace histolab;
using namespace histolab::grader;
using namespace histolab::grader::testing;

namespace {

LabResult graded(const std::string& text) {
  const TemporaryFolder labs;
  std::string json = sample_lab_json();
  json = replaced(
      json, R"("kind": "matches_reference", "points": 5, "title": "every letter counts",)",
      R"("kind": "expects_finding", "finding": "data_race", "variable": "histo", "points": 5,)");
  json = replaced(
      json, R"({"id": "no_findings", "kind": "no_findings", "points": 3})",
      R"({"id": "no_findings", "kind": "no_findings", "points": 3, "except": ["data_race"]})");
  json = replaced(json, R"("kind": "counter_at_most", "points": 2, "min_block": 32,)",
                  R"("kind": "counter_at_least", "points": 2, "cases": ["letters-256"],)");
  json = replaced(json, "l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_ld.ratio",
                  "histolab__updates_lost.sum");
  put(labs.at("01-race/lab.json"), json);
  const auto lab = load_lab(labs.at("01-race"));
  REQUIRE(lab.ok());
  FakeDevice device;
  return grade_labs(device, {{&*lab, Submission{"k.cu", text, "-"}}}, {}).front();
}

}  // namespace

TEST_CASE("a kernel that shows the race passes") {
  const LabResult lab = graded("// fake: lossy 1\n");
  CHECK(lab.status == Verdict::passed);
  CHECK(lab.checks[0].seen.sentence().find("data_race") == std::string::npos);
  CHECK(lab.checks[0].seen.sentence().find(
            "shows it: threads 3 and 17 of block 0 both update histo[3]") != std::string::npos);
}

TEST_CASE("a kernel without a race fails, and so does one that loses nothing") {
  const LabResult lab = graded("// fake: right\n");
  CHECK(lab.status == Verdict::failed);
  CHECK(lab.checks[0].seen.sentence() ==
        "expected to see data_race on histo in one of 3 cases; there was none");
  CHECK(lab.checks[1].status == CheckResult::Status::passed);
  CHECK(lab.checks[2].seen.sentence().find("updates lost: 0 updates, at least 2 required") !=
        std::string::npos);
}

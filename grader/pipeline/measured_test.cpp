#include "grader/pipeline/measured.h"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "grader/pipeline/pipeline.h"
#include "grader/report/report_json.h"
#include "grader/testing/fake_device.h"
#include "grader/testing/sample.h"

using namespace histolab;
using namespace histolab::grader;
using testing::FakeDevice;
using testing::FakeGpu;

namespace {

// The sample with one timed case and a check of its time.
struct Fixture {
  Fixture() {
    lab = testing::sample_lab_in(folder.path());
    lab.timed = {{.id = "large", .dataset = "english", .length = 4096, .emulated_length = 1024}};
    CheckSpec check;
    check.id = "fast";
    check.kind = CheckKind::within_of_solution;
    check.factor = 1.5;
    check.points = 3;
    check.timed = {0};
    lab.checks.push_back(check);
    lab.max_score += 3;
  }
  Submission submission(const std::string& text) const { return {"02-sample.cu", text, "-"}; }
  std::string graded_beside_gpu(const std::string& text) {
    GradeOptions options;
    options.gpu = &gpu;
    return report(grade_labs(device, {{&lab, submission(text)}}, options).front());
  }
  std::string graded_elsewhere(const std::string& text) {
    TimedStage stage{gpu, 1};
    const Result<Measured> taken = measure(device, gpu, stage, lab, submission(text));
    REQUIRE(taken);
    const Result<Measured> read = measured_from_json(to_json(*taken), "times");
    REQUIRE_MESSAGE(read.ok(), read.error().message);
    GradeOptions options;
    options.multiprocessors = read->multiprocessors;
    return report(grade_labs(device,
                             {{.lab = &lab, .submission = submission(text), .measured = &*read}},
                             options)
                      .front());
  }
  static std::string report(const LabResult& result) {
    return text_of(json_of(result, "fake"), true);
  }

  testing::TemporaryFolder folder;
  LabSpec lab;
  FakeDevice device;
  FakeGpu gpu;
};

}  // namespace

TEST_CASE("grading with times from another machine gives exactly the same report") {
  Fixture fixture;
  for (const char* text :
       {"// fake: right\n", "// fake: right loads 2\n", "// fake: right loads 1 at 2\n",
        "// fake: compile 2\n", "// fake: refused\n", "// fake: endless 3\n", "// fake: crash\n"}) {
    CAPTURE(text);
    CHECK(fixture.graded_elsewhere(text) == fixture.graded_beside_gpu(text));
  }
  CHECK(fixture.graded_beside_gpu("// fake: right\n").find("\"status\":\"passed\"") !=
        std::string::npos);
  CHECK(fixture.graded_elsewhere("// fake: right loads 2\n")
            .find("2.00 times as long, 1.5 allowed") != std::string::npos);
}

TEST_CASE("a kernel that is wrong on the other machine's GPU is wrong here") {
  Fixture fixture;
  const std::string here = fixture.graded_beside_gpu("// fake: lossy 3\n"),
                    there = fixture.graded_elsewhere("// fake: lossy 3\n");
  // Each round has new data, so the number of lost updates differs.
  for (const std::string& report : {here, there})
    CHECK(report.find("\"right_launches\":0") != std::string::npos);
}

TEST_CASE("invalid times are refused") {
  for (const char* text : {"", "{}", "[]", "null", R"({"timed_cases": 3})",
                           R"({"timed_cases": [], "multiprocessors": -1, "local_bytes": null})",
                           R"({"timed_cases": [], "multiprocessors": 132})"}) {
    const Result<Measured> read = measured_from_json(text, "times");
    REQUIRE_FALSE(read);
    CHECK(read.error().message.starts_with("times: "));
  }
  CHECK(measured_from_json(R"({"timed_cases": [], "multiprocessors": 132, "local_bytes": 40})",
                           "times")
            ->local_bytes == 40);
}

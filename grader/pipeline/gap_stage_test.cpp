#include "grader/pipeline/gap_stage.h"

#include <doctest/doctest.h>

#include "grader/pipeline/pipeline.h"
#include "grader/testing/fake_device.h"
#include "grader/testing/sample.h"

using namespace histolab;
using namespace histolab::grader;
using namespace histolab::grader::testing;

namespace {

// Returns the failed check of the sample's submission, explained with this solution's source; if
// that is empty, there is no solution.
CheckResult explain(const std::string& text, const std::string& solution, unsigned jobs = 1) {
  const TemporaryFolder labs;
  put_sample_lab(labs.path());
  LabSpec lab = sample_lab();
  lab.directory = solution.empty() ? labs.at("nowhere") : labs.at("02-sample");
  if (!solution.empty()) put(lab.solution_path(), solution);
  FakeDevice device;
  GradeOptions options;
  options.jobs = jobs;
  return *first_failing(
      grade_labs(device, {{&lab, Submission{"work/02-sample.cu", text, "-"}}}, options).front());
}

constexpr const char* scattered = "// fake: right loads 32 at 6\n";
constexpr const char* said =
    "case letters-256 (uniform-letters, 50 000 bytes, grid 25 x block 256, random schedule and "
    "order): sectors per request, global loads: 32, at most 2 allowed";
constexpr const char* twice = " (2 of 2 cases are above the limit)";

}  // namespace

TEST_CASE("a counter that is too high is compared with the solution's, and the line is named") {
  const CheckResult check = explain(scattered, "// fake: right loads 1 at 3\n");
  CHECK(check.line == 6);
  CHECK(check.seen.sentence() == std::string{said} + "; the solution has 1" + twice +
                                     ". Line 6: neighbouring threads read 32 bytes apart: 32 "
                                     "sectors per load, the solution needs 1");
  CHECK(explain(scattered, "// fake: right loads 1 at 3\n", 8).seen.sentence() ==
        check.seen.sentence());
}

TEST_CASE("without a solution only the kernel is described, and without lines no line is named") {
  CHECK(explain(scattered, "").seen.sentence() ==
        std::string{said} + twice +
            ". Line 6: neighbouring threads read 32 bytes apart: 32 sectors per load");
  const CheckResult check = explain("// fake: right loads 32\n", "// fake: right\n");
  CHECK(check.seen.sentence() == std::string{said} + "; the solution has 1" + twice);
  CHECK(check.line == 0);
}

TEST_CASE("if the solution cannot be launched, the message says so and the points stay") {
  const CheckResult check = explain(scattered, "// fake: machine\n");
  CHECK(check.status == CheckResult::Status::failed);
  CHECK(check.seen.sentence() ==
        std::string{said} + twice + ". The line is unknown: the compiler g++ is not installed");
  CHECK(check.score == 0);
}

TEST_CASE("a kernel with wrong counts is not compared") {
  const CheckResult check = explain("// fake: lossy 3\n", "// fake: right loads 1 at 3\n");
  CHECK(check.seen.sentence().find("the solution has") == std::string::npos);
}

// Grading in the background: quick cases first, one compilation, and a new save stops a running
// grading.
#include "grader/watch/grading.h"

#include <doctest/doctest.h>
#include <poll.h>

#include <chrono>
#include <condition_variable>

#include "grader/testing/fake_device.h"
#include "grader/testing/sample.h"
#include "reference/testing/wait_until.h"

using namespace histolab;
using namespace histolab::grader;
using namespace histolab::grader::testing;

namespace {

std::atomic<int> compiles = 0;

// Counts compilations. With "// fake: right\n// slow", every launch runs until it is cancelled.
class Watched final : public FakeDevice {
 public:
  explicit Watched(const kernels::Cancellation& cancellation) : cancellation_(cancellation) {}
  Result<kernels::Compiled> compile(
      const kernels::Source& source,
      const std::vector<kernels::KernelSignature>& signatures) override {
    ++compiles;
    slow_ = source.text.find("slow") != std::string::npos;
    return FakeDevice::compile(source, signatures);
  }
  Result<std::vector<kernels::Observation>> launch(
      const kernels::Compiled& compiled, const kernels::LaunchConfig& config,
      const std::vector<std::vector<kernels::Argument>>& launches,
      const kernels::Options& options) override {
    while (slow_ && !cancellation_.cancelled())
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
    if (cancellation_.cancelled()) return Error{"interrupted"};
    return FakeDevice::launch(compiled, config, launches, options);
  }

 private:
  const kernels::Cancellation& cancellation_;
  std::atomic<bool> slow_ = false;
};

Grading::MakeDevice watched() {
  return [](const kernels::Cancellation& cancellation) {
    return std::make_unique<Watched>(cancellation);
  };
}

GradeJob job_of(const LabSpec& lab, const std::string& text) {
  return {&lab, Submission{"work/02-sample.cu", text, "-"}, std::nullopt};
}

Grading::Step next(Grading& grading) {
  pollfd ready{grading.descriptor(), POLLIN, 0};
  REQUIRE(poll(&ready, 1,
               static_cast<int>(std::chrono::milliseconds(reference::testing::patience).count())) ==
          1);
  std::optional<Grading::Step> step = grading.take();
  REQUIRE(step.has_value());
  return std::move(*step);
}

}  // namespace

TEST_CASE("grades the quick cases first, then all, and compiles once") {
  const LabSpec lab = sample_lab();
  Grading grading{watched(), {}};
  compiles = 0;
  CHECK_FALSE(grading.running());
  grading.begin(job_of(lab, "// fake: right"));
  const Grading::Step quick = next(grading), all = next(grading);
  CHECK(quick.quick);
  CHECK(quick.more);
  CHECK(quick.result.cases.size() == 2);
  CHECK_FALSE(all.quick);
  CHECK(all.result.cases.size() == 3);
  CHECK(compiles == 1);
  CHECK_FALSE(grading.running());
  CHECK_FALSE(grading.take().has_value());
}

TEST_CASE("a kernel that does not compile has one step") {
  const LabSpec lab = sample_lab();
  Grading grading{watched(), {}};
  grading.begin(job_of(lab, "// fake: compile 1"));
  const Grading::Step step = next(grading);
  CHECK_FALSE(step.quick);
  CHECK(step.result.status == Verdict::compile_error);
}

TEST_CASE("skips the other cases if a quick one is wrong") {
  LabSpec lab = sample_lab();
  for (const char* wrong : {"// fake: nothing", "// fake: lossy 1"}) {
    Grading grading{watched(), {}};
    grading.begin(job_of(lab, wrong));
    const Grading::Step step = next(grading);
    CHECK(step.quick);
    CHECK_FALSE(step.more);
    CHECK(step.result.status == Verdict::failed);
    CHECK_FALSE(grading.running());
  }
}

TEST_CASE("a new save stops the running grading and discards its results") {
  const LabSpec lab = sample_lab();
  Grading grading{watched(), {}};
  grading.begin(job_of(lab, "// fake: right\n// slow"));
  CHECK(grading.running());
  grading.begin(job_of(lab, "// fake: nothing"));
  CHECK(next(grading).result.status == Verdict::failed);
  grading.begin(job_of(lab, "// fake: right\n// slow"));
  grading.end();
  CHECK_FALSE(grading.running());
  CHECK_FALSE(grading.take().has_value());
}

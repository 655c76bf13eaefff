// Contests on a real GPU: the honest kernel against itself, and each of grader/attacks that targets
// a contest. None of them may gain time.
#include "grader/pipeline/contest.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <filesystem>

#include "grader/files/read_file.h"
#include "grader/lab/submission.h"
#include "kernels/gpu/gpu.h"

using namespace histolab;
using namespace histolab::grader;

namespace {

kernels::TimedDevice& gpu() {
  static Result<std::unique_ptr<kernels::TimedDevice>> device =
      kernels::make_gpu({.worker = HISTOLAB_BIN "/histolab-gpu-worker"});
  REQUIRE_MESSAGE(device.ok(), (device.ok() ? "" : device.error().message));
  return **device;
}

const LabSpec& lab() {
  static const Result<LabSpec> spec = load_lab(HISTOLAB_SOURCE_DIR "/labs/03-interleaved");
  REQUIRE_MESSAGE(spec.ok(), (spec.ok() ? "" : spec.error().message));
  return *spec;
}

kernels::Compiled compiled(const std::string& path) {
  const Result<Submission> source = read_submission(path);
  REQUIRE(source.ok());
  Result<kernels::Compiled> made = gpu().compile({path, source->text}, signatures_of(lab()));
  REQUIRE(made.ok());
  REQUIRE_MESSAGE(made->ok, path, (made->diagnostics.empty() ? "" : made->diagnostics[0].message));
  return std::move(*made);
}

const TimedCaseSpec& large() {
  static const TimedCaseSpec spec{.id = "large",
                                  .dataset = "english",
                                  .length = 1u << 24,
                                  .emulated_length = 1u << 20,
                                  .block = 256,
                                  .grid = 1056};
  return spec;
}

TimedCaseResult against_the_solution(const std::string& path) {
  static const auto inputs = contest_inputs(lab(), large(), 1);
  REQUIRE(inputs.ok());
  const kernels::Compiled own = compiled(path), solution = compiled(lab().solution_path());
  const LaunchShape shape = shape_of(lab(), large(), {}, 132);
  const Result<TimedCaseResult> result = run_contest(
      gpu(), large(), {{path, &lab(), &own, shape}, {lab().name, &lab(), &solution, shape}},
      *inputs, {.rounds = 20});
  REQUIRE_MESSAGE(result.ok(), path, (result.ok() ? "" : result.error().message));
  return *result;
}

}  // namespace

TEST_CASE("the solution against itself is right in every round, and about as fast") {
  const TimedCaseResult result = against_the_solution(lab().solution_path());
  CHECK(result.correct());
  CHECK(result.rounds >= 7);
  CHECK(result.rivals.at(0).right);
  MESSAGE(fmt::format("{:.4f} ms against {:.4f} ms, alone {:.4f} ms; {} rounds",
                      result.timing->median_ms, result.rivals[0].timing.median_ms,
                      result.rivals[0].timing.alone_ms, result.rounds));
}

TEST_CASE("no attack gains time") {
  const TimedCaseResult honest = against_the_solution(lab().solution_path());
  for (const auto& entry :
       std::filesystem::directory_iterator(HISTOLAB_SOURCE_DIR "/grader/attacks")) {
    const std::string name = entry.path().filename().string();
    if (!name.starts_with("gpu-")) continue;
    CAPTURE(name);
    const TimedCaseResult result = against_the_solution((entry.path() / "kernel.cu").string());
    const bool caught = !result.correct() || !result.findings.empty();
    // A gain would be a fifth faster than the honest kernel in the same session. The usual spread
    // is 1 %.
    const bool as_slow = result.timing && result.timing->median_ms > 0.8 * honest.timing->median_ms;
    CHECK((caught || as_slow));
    MESSAGE(fmt::format("{}: {} of {} launches right, {}, {:.4f} ms, the honest kernel {:.4f} ms{}",
                        name, result.right_rounds, result.rounds, kernels::name(result.ending),
                        result.timing ? result.timing->median_ms : 0.0,
                        result.rivals.empty() ? 0.0 : result.rivals[0].ms(),
                        result.findings.empty() ? "" : "; " + result.findings.front().message));
  }
}

TEST_CASE("after the attacks an honest kernel is still right and as fast as before") {
  const TimedCaseResult result = against_the_solution(lab().solution_path());
  CHECK(result.correct());
}

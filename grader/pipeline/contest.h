// A contest: one kernel timed against others, each launch on data that no kernel has seen before,
// each result judged.
//
//   Contestant... + TimedCaseSpec -> samples and their true histograms -> TimedDevice::time ->
//   TimedCaseResult
//
// The data of every round is a pre-made input in which a few bytes at random places are changed;
// the truth follows from the changes, here, in the grader. Randomness is the operating system's: no
// kernel can know what comes, and results do not depend on it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "grader/lab/lab.h"
#include "grader/lab/launch_plan.h"
#include "grader/report/report.h"
#include "kernels/device.h"
#include "reference/result.h"

namespace histolab::grader {

struct Contestant {
  std::string
      name;  // "03-interleaved", the lab whose solution it is; of the first: the submission's path
  const LabSpec* lab = nullptr;
  const kernels::Compiled* compiled = nullptr;  // for the device that times
  LaunchShape shape;
};

struct ContestOptions {
  std::size_t rounds = 40;  // at most
  std::chrono::milliseconds budget{2'000};
};

// The first contestant is the one that is judged, by its own task in its own bins. `inputs`: one or
// more of as many samples as its shape says. Error: the machine's fault only.
[[nodiscard]] Result<TimedCaseResult> run_contest(
    kernels::TimedDevice& device, const TimedCaseSpec& spec,
    const std::vector<Contestant>& contestants,
    const std::vector<std::vector<std::uint8_t>>& inputs, const ContestOptions& options);
// The pre-made inputs of a lab's timed case.
[[nodiscard]] Result<std::vector<std::vector<std::uint8_t>>> contest_inputs(
    const LabSpec& lab, const TimedCaseSpec& spec, std::uint64_t seed);

// The rounds' data and what is true of them. Exposed for its tests.
struct FreshData {
  std::vector<kernels::TimingPlan::Sample> samples;
  std::vector<std::vector<std::uint64_t>> truth;  // of each round, one count a bin
};
[[nodiscard]] FreshData fresh_data(const std::vector<std::vector<std::uint8_t>>& inputs,
                                   const reference::Binning& binning, std::size_t rounds,
                                   std::uint64_t randomness);

}  // namespace histolab::grader

// A contest: times one kernel against others. Each launch has new data and each result is judged.
//
// Contestant... + TimedCaseSpec -> samples and their true histograms -> TimedDevice::time ->
// TimedCaseResult
//
// docs/gpu.md says how this prevents cheating.
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
  // "03-interleaved", the lab of the solution; for the first contestant the submission's path.
  std::string name;
  const LabSpec* lab = nullptr;
  const kernels::Compiled* compiled = nullptr;  // compiled for the device that takes the times
  LaunchShape shape;
};

struct ContestOptions {
  std::size_t rounds = 40;  // the maximum
  std::chrono::milliseconds budget{2'000};
};

// Times the contestants. The first one is judged, by its own task and bins. Each of `inputs` has
// the number of samples in that contestant's shape. Returns an Error only if the machine fails.
[[nodiscard]] Result<TimedCaseResult> run_contest(
    kernels::TimedDevice& device, const TimedCaseSpec& spec,
    const std::vector<Contestant>& contestants,
    const std::vector<std::vector<std::uint8_t>>& inputs, const ContestOptions& options);
// Returns the initial inputs of a lab's timed case.
[[nodiscard]] Result<std::vector<std::vector<std::uint8_t>>> contest_inputs(
    const LabSpec& lab, const TimedCaseSpec& spec, std::uint64_t seed);

// The data of all rounds with the expected counts. Declared here for its tests.
struct FreshData {
  std::vector<kernels::TimingPlan::Sample> samples;
  std::vector<std::vector<std::uint64_t>> truth;  // per round, one count per bin
};
[[nodiscard]] FreshData fresh_data(const std::vector<std::vector<std::uint8_t>>& inputs,
                                   const reference::Binning& binning, std::size_t rounds,
                                   std::uint64_t randomness);

}  // namespace histolab::grader

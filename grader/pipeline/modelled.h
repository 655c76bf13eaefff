// Modelled times: the time model's results for launches that the emulator counted.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "grader/lab/lab.h"
#include "grader/lab/launch_plan.h"
#include "grader/report/report.h"
#include "kernels/device.h"
#include "reference/result.h"
#include "reference/time_model.h"

namespace histolab::grader {

// Returns the model's input for a completed case: the counters of all launches, and the size of the
// data.
[[nodiscard]] reference::Workload workload_of(const CaseResult& result);

// The same of a launch of a whole program. `bytes` is the size of all data that it can read.
[[nodiscard]] reference::Workload workload_of(const kernels::Observation& observation,
                                              std::uint64_t bytes);

// Returns the model of single launches of whole programs: the time in ms.
[[nodiscard]] std::function<double(const kernels::Observation& observation, std::uint64_t bytes)>
launch_model(reference::TimingProfile profile);

// Sets `modelled` or `modelled_reason` of a case that the emulator ran. The profile is `name` in
// `folder`.
void add_modelled(CaseResult& result, const std::string& folder, const std::string& name);

// A model of a launch that is too large for the emulator. It extrapolates from two small launches
// with the same block size and work per thread.
struct ModelledLaunch {
  // The ending of the small launches. The other members are only set if they completed.
  kernels::Ending ending = kernels::Ending::completed;
  std::string ending_detail;
  std::uint64_t longest = 0;  // elements of the larger small launch
  // The number of small launches, and the number of those with the right result.
  std::uint32_t launches = 0, right = 0;
  std::vector<kernels::Finding> findings;  // accesses out of bounds and misaligned ones
  reference::Workload work;
  reference::TimeEstimate estimate;
};
struct LaunchToModel {
  std::string dataset;
  LaunchShape shape;
  std::uint64_t seed = 1;
  // For the larger launch: up to an eighth more, or less if blocks are large.
  std::uint64_t elements_to_run = 1 << 20;
};
// Runs the larger small launch, with counters per line and the first accesses of warps.
[[nodiscard]] Result<CaseResult> small_launch(kernels::Device& emulator, const LabSpec& lab,
                                              const kernels::Compiled& compiled,
                                              const LaunchToModel& launch,
                                              std::uint32_t recorded_accesses);
[[nodiscard]] Result<ModelledLaunch> model_launch(kernels::Device& emulator, const LabSpec& lab,
                                                  const kernels::Compiled& compiled,
                                                  const LaunchToModel& launch,
                                                  const reference::TimingProfile& profile);

}  // namespace histolab::grader

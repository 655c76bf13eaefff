// Modelled: what the time model says of a launch, from what the emulator counts.
#pragma once

#include <cstdint>
#include <string>

#include "grader/lab/lab.h"
#include "grader/lab/launch_plan.h"
#include "grader/report/report.h"
#include "kernels/device.h"
#include "reference/result.h"
#include "reference/time_model.h"

namespace histolab::grader {

// What the model is given of a case that completed: the counters of all its launches, and the
// data's size.
[[nodiscard]] reference::Workload workload_of(const CaseResult& result);

// Fills `modelled` or `modelled_reason` of a case that the emulator ran, on the profile `name` in
// `folder`.
void add_modelled(CaseResult& result, const std::string& folder, const std::string& name);

// A launch that is too large for the emulator: two small ones of the same block size and work per
// thread, extended.
struct ModelledLaunch {
  // Of the small launches; unless completed there is no more than this.
  kernels::Ending ending = kernels::Ending::completed;
  std::string ending_detail;
  std::uint64_t longest = 0;  // elements of the larger of the small ones
  // Of the small ones: how many there were, and whose histogram is what it should be.
  std::uint32_t launches = 0, right = 0;
  std::vector<kernels::Finding> findings;  // of theirs: what lies out of bounds or is misaligned
  reference::Workload work;
  reference::TimeEstimate estimate;
};
struct LaunchToModel {
  std::string dataset;
  LaunchShape shape;
  std::uint64_t seed = 1;
  // Of the larger of the two: up to an eighth more, or less if the blocks are large.
  std::uint64_t elements_to_run = 1 << 20;
};
// The larger of the small ones: what each line does in it, and the first accesses of warps.
[[nodiscard]] Result<CaseResult> small_launch(kernels::Device& emulator, const LabSpec& lab,
                                              const kernels::Compiled& compiled,
                                              const LaunchToModel& launch,
                                              std::uint32_t recorded_accesses);
[[nodiscard]] Result<ModelledLaunch> model_launch(kernels::Device& emulator, const LabSpec& lab,
                                                  const kernels::Compiled& compiled,
                                                  const LaunchToModel& launch,
                                                  const reference::TimingProfile& profile);

}  // namespace histolab::grader

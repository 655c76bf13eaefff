#include "grader/pipeline/modelled.h"

#include <algorithm>
#include <cmath>

#include "datasets/datasets.h"
#include "grader/pipeline/case_run.h"
#include "grader/pipeline/profile_json.h"

namespace histolab::grader {

reference::Workload workload_of(const CaseResult& result) {
  return {.counters = result.totals,
          .pressure = result.pressure,
          .input_bytes = input_bytes(result) * result.runs.size()};
}

reference::Workload workload_of(const kernels::Observation& observation, std::uint64_t bytes) {
  return {.counters = observation.counters,
          .pressure = observation.pressure,
          .input_bytes = std::min(bytes, observation.counters.global_load.bytes)};
}

std::function<double(const kernels::Observation& observation, std::uint64_t bytes)> launch_model(
    reference::TimingProfile profile) {
  return
      [profile = std::move(profile)](const kernels::Observation& observation, std::uint64_t bytes) {
        return reference::estimate(profile, workload_of(observation, bytes)).total_ns / 1e6;
      };
}

namespace {

struct Shape {
  std::uint64_t blocks = 0, length = 0;
};

// Returns the launch itself if it is small. Otherwise two launches with the same work per block,
// one twice as large as the other.
std::vector<Shape> shapes_to_run(const LaunchToModel& launch) {
  const LaunchShape& whole = launch.shape;
  const double of_block = static_cast<double>(whole.length) / static_cast<double>(whole.grid);
  const double wanted = static_cast<double>(launch.elements_to_run) / std::max(1.0, of_block);
  const double more = 2 * std::ceil(wanted / 2), fewer = 2 * std::floor(wanted / 2);
  const auto large =
      static_cast<std::uint64_t>(more <= 1.125 * wanted ? more : std::max(2.0, fewer));
  if (large >= whole.grid) return {{whole.grid, whole.length}};
  const auto shape = [&](std::uint64_t some) {
    return Shape{some,
                 static_cast<std::uint64_t>(std::llround(static_cast<double>(some) * of_block))};
  };
  return {shape(large / 2), shape(large)};
}

Result<CaseResult> run_small(kernels::Device& emulator, const LabSpec& lab,
                             const kernels::Compiled& compiled, const LaunchToModel& launch,
                             const Shape& small, const Onlooker* onlooker) {
  Bytes data = TRY(datasets::load_samples(launch.dataset, small.length, launch.seed,
                                          launch.shape.binning.sample_bytes()));
  CaseResult shape;
  static_cast<LaunchShape&>(shape) = launch.shape;
  shape.dataset = launch.dataset;
  shape.seed = launch.seed;
  shape.length = small.length;
  shape.grid = static_cast<std::uint32_t>(small.blocks);
  const kernels::Observers counting{
      .races = false, .bounds = true, .initialization = false, .alignment = true, .traffic = true};
  return run_case(emulator, lab, compiled, std::move(shape), {std::move(data)}, counting, onlooker);
}

}  // namespace

Result<CaseResult> small_launch(kernels::Device& emulator, const LabSpec& lab,
                                const kernels::Compiled& compiled, const LaunchToModel& launch,
                                std::uint32_t recorded_accesses) {
  const Onlooker recorder{.recorded_accesses = recorded_accesses};
  return run_small(emulator, lab, compiled, launch, shapes_to_run(launch).back(), &recorder);
}

Result<ModelledLaunch> model_launch(kernels::Device& emulator, const LabSpec& lab,
                                    const kernels::Compiled& compiled, const LaunchToModel& launch,
                                    const reference::TimingProfile& profile) {
  ModelledLaunch modelled;
  std::vector<reference::Workload> seen;
  for (const Shape& small : shapes_to_run(launch)) {
    const CaseResult result = TRY(run_small(emulator, lab, compiled, launch, small, nullptr));
    if (!result.completed()) {
      modelled.ending = result.ending;
      modelled.ending_detail = result.ending_detail;
      return modelled;
    }
    ++modelled.launches;
    modelled.longest = std::max(modelled.longest, small.length);
    modelled.right += result.is_right() ? 1 : 0;
    merge_findings(modelled.findings, result.findings);
    seen.push_back(workload_of(result));
  }
  modelled.work =
      seen.size() == 1 ? seen.front() : reference::extended(seen[0], seen[1], launch.shape.grid);
  modelled.estimate = reference::estimate(profile, modelled.work);
  return modelled;
}

void add_modelled(CaseResult& result, const std::string& folder, const std::string& name) {
  if (!result.completed() || result.totals.blocks == 0 || result.runs.size() != 1) {
    result.modelled_reason = "only a single completed launch can be modelled";
    return;
  }
  const Result<reference::TimingProfile> profile = load_profile(folder, name);
  if (!profile) {
    result.modelled_reason = profile.error().message;
    return;
  }
  result.modelled = ModelledTime{.profile = profile->name,
                                 .device = profile->device,
                                 .estimate = reference::estimate(*profile, workload_of(result))};
}

}  // namespace histolab::grader

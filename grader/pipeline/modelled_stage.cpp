#include "grader/pipeline/modelled_stage.h"

#include <fmt/format.h>

#include "grader/checks/recorded.h"
#include "grader/checks/rivals.h"
#include "grader/files/backup.h"
#include "grader/lab/drawn_case.h"

namespace histolab::grader {

LaunchToModel ModelledStage::launch_of(const LaunchShape& shape, const TimedCaseSpec& spec,
                                       const std::string& of_lab) const {
  return {.dataset = spec.dataset,
          .shape = shape,
          .seed = case_seed(seed_, of_lab, spec.id),
          .elements_to_run = drawn_emulated_length(spec, seed_)};
}

Result<double> ModelledStage::rival_ms(const LabSpec& lab, const TimedCaseSpec& spec,
                                       const std::string& name) {
  const std::lock_guard lock{rivals_in_use_};
  const auto key = std::pair{lab.name + "/" + spec.id, name};
  if (const auto known = rivals_.find(key); known != rivals_.end()) return known->second;
  Rival rival = TRY(load_rival(emulator_, lab, name));
  const LaunchShape shape = TRY(shape_for(rival, lab, spec, profile_.multiprocessors));
  const ModelledLaunch modelled = TRY(model_launch(emulator_, rival.lab, rival.compiled,
                                                   launch_of(shape, spec, lab.name), profile_));
  if (modelled.ending != kernels::Ending::completed)
    return Error{
        fmt::format("the solution of {} did not complete: {}", name, modelled.ending_detail)};
  return rivals_[key] = modelled.estimate.total_ns / 1e6;
}

Result<std::vector<TimedCaseResult>> ModelledStage::run(const LabSpec& lab,
                                                        const kernels::Compiled& compiled,
                                                        const Exports& exports) {
  std::vector<TimedCaseResult> results;
  for (std::size_t i = 0; i < lab.timed.size(); ++i) {
    const TimedCaseSpec& spec = lab.timed[i];
    const std::vector<std::string> rivals = rivals_of(lab, i);
    // No check needs its time.
    if (rivals.empty()) continue;
    const LaunchToModel launch =
        launch_of(shape_of(lab, spec, exports, profile_.multiprocessors), spec, lab.name);
    TimedCaseResult& result = results.emplace_back();
    static_cast<LaunchShape&>(result) = launch.shape;
    result.id = spec.id;
    result.dataset = spec.dataset;
    result.kernel_name = kernel_name(lab, spec.kernel);
    result.device = profile_.device;
    result.measured = false;
    const ModelledLaunch own = TRY(model_launch(emulator_, lab, compiled, launch, profile_));
    result.ending = own.ending;
    result.ending_detail = own.ending_detail;
    if (own.ending != kernels::Ending::completed) continue;
    result.longest_launch = own.longest;
    result.rounds = own.launches;
    result.right_rounds = own.right;
    result.findings = own.findings;
    result.timing.emplace().median_ms = own.estimate.total_ns / 1e6;
    result.bound_by = own.estimate.bound_by;
    for (const std::string& name : rivals) {
      const std::optional<double> recorded =
          TRY(recorded_ms(lab, spec.id, name, seed_, profile_.name));
      if (!recorded && !is_there(rival_path(lab, name))) continue;
      const double ms = TRY(recorded ? Result<double>{*recorded} : rival_ms(lab, spec, name));
      kernels::Timing timing;
      timing.median_ms = ms;
      result.rivals.push_back({name, timing, true});
    }
  }
  return results;
}

}  // namespace histolab::grader

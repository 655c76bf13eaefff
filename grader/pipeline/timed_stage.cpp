#include "grader/pipeline/timed_stage.h"

#include <fmt/format.h>

namespace histolab::grader {

Result<const Rival*> TimedStage::rival_called(const LabSpec& lab, const std::string& name) {
  const std::string whose = name == read_rival ? lab.name + " " + name : name;
  if (const auto known = rivals_.find(whose); known != rivals_.end()) return &known->second;
  return &rivals_.emplace(whose, TRY(load_rival(gpu_, lab, name))).first->second;
}

Result<std::vector<TimedCaseResult>> TimedStage::run(const LabSpec& lab,
                                                     const Submission& submission,
                                                     const Exports& exports) {
  std::vector<TimedCaseResult> results;
  if (lab.timed.empty()) return results;
  const std::lock_guard lock{turn_};
  kernels::Compiled own = TRY(gpu_.compile({submission.path, submission.text}, signatures_of(lab)));
  for (std::size_t i = 0; i < lab.timed.size(); ++i) {
    const TimedCaseSpec& spec = lab.timed[i];
    TimedCaseResult& result = results.emplace_back();
    static_cast<LaunchShape&>(result) = shape_of(lab, spec, exports, gpu_.multiprocessors());
    result.id = spec.id;
    result.dataset = spec.dataset;
    result.kernel_name = kernel_name(lab, spec.kernel);
    result.device = gpu_.name();
    if (!own.ok) {
      result.skipped = "it does not compile for the GPU: " + first_error_of(own);
      continue;
    }
    if (i > 0 && results[i - 1].ending != kernels::Ending::completed) {
      result.ending = results[i - 1].ending;
      result.skipped = fmt::format("case {} did not complete", results[i - 1].id);
      continue;
    }
    std::vector<Contestant> contestants = {{submission.path, &lab, &own, result}};
    for (const std::string& name : rivals_of(lab, i)) {
      const Rival* rival = TRY(rival_called(lab, name));
      const LaunchShape shape = TRY(shape_for(*rival, lab, spec, gpu_.multiprocessors()));
      contestants.push_back({name, &rival->lab, &rival->compiled, shape});
    }
    const auto inputs = TRY(contest_inputs(lab, spec, seed_));
    result = TRY(run_contest(gpu_, spec, contestants, inputs, {}));
  }
  return results;
}

}  // namespace histolab::grader

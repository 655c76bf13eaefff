#include "grader/modelled.h"

#include "grader/profile_json.h"

namespace histolab::grader {

reference::Workload workload_of(const CaseResult& result) {
  return {.counters = result.totals, .pressure = result.pressure, .input_bytes = result.length * result.runs.size()};
}

void add_modelled(CaseResult& result, const std::string& folder, const std::string& name) {
  if (!result.completed() || result.totals.blocks == 0 || result.runs.size() != 1) {
    result.modelled_reason = "only one launch that completed is modelled";
    return;
  }
  const Result<reference::TimingProfile> profile = load_profile(folder, name);
  if (!profile) {
    result.modelled_reason = profile.error().message;
    return;
  }
  result.modelled = ModelledTime{.profile = profile->name, .device = profile->device, .estimate = reference::estimate(*profile, workload_of(result))};
}

}  // namespace histolab::grader

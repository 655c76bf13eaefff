// Modelled: what the time model says of a case that the emulator ran.
#pragma once

#include <string>

#include "grader/report.h"
#include "reference/result.h"
#include "reference/time_model.h"

namespace histolab::grader {

// What the model is given of a case that completed: the counters of all its launches, and the data's size.
[[nodiscard]] reference::Workload workload_of(const CaseResult& result);

// Fills `modelled` or `modelled_reason` of a case that the emulator ran, on the profile `name` in `folder`.
void add_modelled(CaseResult& result, const std::string& folder, const std::string& name);

}  // namespace histolab::grader

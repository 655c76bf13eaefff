// Observations and findings as the protocol's JSON. The readers throw if the shape is wrong
// (json_parts.h).
#pragma once

#include "kernels/device.h"
#include "kernels/worker/protocol/json_parts.h"

namespace histolab::kernels::worker {

[[nodiscard]] json write_finding(const Finding& finding);
[[nodiscard]] Finding read_finding(const json& j);
[[nodiscard]] json write_observation(const Observation& observation);
[[nodiscard]] Observation read_observation(const json& j);

}  // namespace histolab::kernels::worker

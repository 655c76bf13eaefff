// One case: its launches on a device, compared with the truth.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "grader/lab/lab.h"
#include "grader/lab/launch_buffers.h"
#include "grader/lab/launch_plan.h"
#include "grader/report/report.h"
#include "kernels/device.h"
#include "reference/result.h"

namespace histolab::grader {

using Bytes = std::vector<std::uint8_t>;

// Somebody who looks on while a case's first launch runs, from a thread of its own. Only the
// emulator lets anybody look.
struct Onlooker {
  kernels::Live* live = nullptr;        // made for this launch; may be null
  std::uint32_t recorded_accesses = 0;  // so many come back in CaseResult::accesses
  std::function<void(const LaunchBuffers& buffers)> begins =
      {};  // just before the launch; they stay until `ended` was called; may be empty
  std::function<void()> ended = {};  // just after it, however it went; may be empty
};

// Launches `compiled` once per entry of `inputs`, in one process, into a zeroed histogram each.
// `shape` has id, dataset, schedule and seed; the result is `shape` with everything else filled in.
// Error: the machine's fault only.
[[nodiscard]] Result<CaseResult> run_case(kernels::Device& device, const LabSpec& lab,
                                          const kernels::Compiled& compiled, CaseResult shape,
                                          const std::vector<Bytes>& inputs,
                                          const kernels::Observers& observers,
                                          const Onlooker* onlooker = nullptr);

// Launches `result`'s case once more, one thread after the other in their order, and stores
// CaseResult::one_by_one and the
// counter updates_lost_to_races_counter in it. Error: the machine's fault only.
[[nodiscard]] std::optional<Error> run_one_by_one(kernels::Device& device, const LabSpec& lab,
                                                  const kernels::Compiled& compiled,
                                                  const std::vector<Bytes>& inputs,
                                                  const kernels::Observers& observers,
                                                  CaseResult& result);

// A lab's case as a report's seed draws it, before it was run; and the data of its launches.
[[nodiscard]] CaseResult case_of(const LabSpec& lab, const CaseSpec& spec, const Exports& exports,
                                 std::uint64_t seed);
[[nodiscard]] Result<std::vector<Bytes>> inputs_of(const CaseResult& shape);

}  // namespace histolab::grader

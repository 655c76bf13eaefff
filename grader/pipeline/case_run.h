// Runs one case: its launches on a device, compared with the expected counts.
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

// Watches the first launch of a case from another thread. Only the emulator supports this.
struct Onlooker {
  kernels::Live* live = nullptr;        // made for this launch; may be null
  std::uint32_t recorded_accesses = 0;  // the maximum number in CaseResult::accesses
  // Called just before the launch; may be empty. The buffers remain valid until `ended`
  // returns.
  std::function<void(const LaunchBuffers& buffers)> begins = {};
  std::function<void()> ended =
      {};  // called just after the launch, even if it failed; may be empty
};

// Launches `compiled` once per entry of `inputs`, all in one process, each with a zeroed output.
// `shape` has id, dataset, schedule and seed; the result is `shape` with the other members set.
// Returns an Error only if the machine fails.
[[nodiscard]] Result<CaseResult> run_case(kernels::Device& device, const LabSpec& lab,
                                          const kernels::Compiled& compiled, CaseResult shape,
                                          const std::vector<Bytes>& inputs,
                                          const kernels::Observers& observers,
                                          const Onlooker* onlooker = nullptr);

// Launches the case of `result` again, with one thread after the other. Adds CaseResult::one_by_one
// and the counter updates_lost_to_races_counter. Returns an Error only if the machine fails.
[[nodiscard]] std::optional<Error> run_one_by_one(kernels::Device& device, const LabSpec& lab,
                                                  const kernels::Compiled& compiled,
                                                  const std::vector<Bytes>& inputs,
                                                  const kernels::Observers& observers,
                                                  CaseResult& result);

// Returns a case as drawn by the report's seed, before it runs; and the data of its launches.
[[nodiscard]] CaseResult case_of(const LabSpec& lab, const CaseSpec& spec, const Exports& exports,
                                 std::uint64_t seed);
[[nodiscard]] Result<std::vector<Bytes>> inputs_of(const CaseResult& shape);

}  // namespace histolab::grader

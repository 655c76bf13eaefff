// ModelledStage: models the timed cases of submissions if there is no GPU, and compares them with
// the solutions that the checks name. It is thread-safe. Solutions are modelled once for all
// submissions.
#pragma once

#include <map>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "grader/lab/lab.h"
#include "grader/lab/launch_plan.h"
#include "grader/pipeline/modelled.h"
#include "grader/report/report.h"
#include "kernels/device.h"

namespace histolab::grader {

class ModelledStage {
 public:
  ModelledStage(kernels::Device& emulator, reference::TimingProfile profile, std::uint64_t seed)
      : emulator_(emulator), profile_(std::move(profile)), seed_(seed) {}

  // Returns one result for each timed case that a check needs. `compiled` is the submission for the
  // emulator. Returns an Error if the machine fails or a solution is invalid. If a rival is missing
  // and has no recorded time for this seed and profile, the result omits it.
  [[nodiscard]] Result<std::vector<TimedCaseResult>> run(const LabSpec& lab,
                                                         const kernels::Compiled& compiled,
                                                         const Exports& exports);

  // Returns the modelled time of a rival with a solution file.
  [[nodiscard]] Result<double> rival_ms(const LabSpec& lab, const TimedCaseSpec& spec,
                                        const std::string& rival);

 private:
  [[nodiscard]] LaunchToModel launch_of(const LaunchShape& shape, const TimedCaseSpec& spec,
                                        const std::string& of_lab) const;

  kernels::Device& emulator_;
  reference::TimingProfile profile_;
  std::uint64_t seed_;
  std::mutex rivals_in_use_;
  std::map<std::pair<std::string, std::string>, double> rivals_;  // (lab and case, rival) -> ms
};

}  // namespace histolab::grader

// ModelledStage: the timed cases of submissions where there is no GPU, as the model sees them, each
// against the solutions that its checks name. Thread-safe; what belongs to a solution is worked out
// once for all submissions.
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

  // One result for each timed case of the lab that a check is about; `compiled` is the submission
  // for the emulator. Error: the machine's fault, or a solution's that is no good. A rival that is
  // missing, with no recorded time for this seed and profile, is left out of a result's rivals.
  [[nodiscard]] Result<std::vector<TimedCaseResult>> run(const LabSpec& lab,
                                                         const kernels::Compiled& compiled,
                                                         const Exports& exports);

  // Modelled, of a rival that is there.
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

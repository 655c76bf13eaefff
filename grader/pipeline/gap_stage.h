// GapStage: explains a failed check of a counter or a time if all results are right. It names the
// work that the kernel does in addition to the lab's solution, and the line. It launches both
// again, on the data of the case in the check's message. It is thread-safe. A solution is compiled
// once for all submissions, and launched once per case.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>

#include "grader/checks/rivals.h"
#include "grader/lab/lab.h"
#include "grader/lab/launch_plan.h"
#include "grader/pipeline/counter_gap.h"
#include "grader/report/report.h"
#include "kernels/device.h"

namespace histolab::grader {

class GapStage {
 public:
  // `multiprocessors` is that of the device on which times were taken, or for which they are
  // modelled.
  GapStage(kernels::Device& emulator, std::uint64_t seed, std::uint32_t multiprocessors)
      : emulator_(emulator), seed_(seed), multiprocessors_(multiprocessors) {}

  // Completes message and line of the failed checks in `result`. The points do not change. If the
  // machine cannot launch the kernels now, the message says so.
  void explain(const LabSpec& lab, const kernels::Compiled& compiled, const Exports& exports,
               LabResult& result);

 private:
  struct Launched {
    CaseResult own;
    std::shared_ptr<const CaseResult> solution;  // null if this kit does not have the solution
  };
  Result<Launched> launch_on_case(const LabSpec& lab, const kernels::Compiled& compiled,
                                  const Exports& exports, const std::string& id);
  Result<Launched> launch_on_timed_case(const LabSpec& lab, const kernels::Compiled& compiled,
                                        const Exports& exports, const std::string& id);
  template <typename Launch>
  Result<std::shared_ptr<const CaseResult>> launch_solution(const LabSpec& lab,
                                                            const std::string& id, Launch launch);

  kernels::Device& emulator_;
  std::uint64_t seed_;
  std::uint32_t multiprocessors_;
  std::mutex solutions_in_use_;
  std::map<std::string, Rival> solutions_;  // by lab
  std::map<std::pair<std::string, std::string>, std::shared_ptr<const CaseResult>>
      launched_;  // by lab and case
};

}  // namespace histolab::grader

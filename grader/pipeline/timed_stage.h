// TimedStage: times submissions on a GPU, one after the other, against the solutions that their
// checks name.
//
// Solutions are compiled once for all submissions. It is thread-safe: each caller waits for its
// turn.
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "grader/checks/rivals.h"
#include "grader/lab/lab.h"
#include "grader/lab/submission.h"
#include "grader/pipeline/contest.h"
#include "kernels/device.h"

namespace histolab::grader {

class TimedStage {
 public:
  TimedStage(kernels::TimedDevice& gpu, std::uint64_t seed) : gpu_(gpu), seed_(seed) {}

  // Returns one result per timed case of the lab. If the GPU's compiler rejects the kernel, no case
  // is timed. After a case that does not complete, the remaining cases are not timed. Returns an
  // Error if the machine fails or a solution is invalid.
  [[nodiscard]] Result<std::vector<TimedCaseResult>> run(const LabSpec& lab,
                                                         const Submission& submission,
                                                         const Exports& exports);

 private:
  Result<const Rival*> rival_called(const LabSpec& lab, const std::string& name);

  kernels::TimedDevice& gpu_;
  std::uint64_t seed_;
  std::mutex turn_;
  std::map<std::string, Rival> rivals_;
};

}  // namespace histolab::grader

// TimedStage: the timed cases of submissions on a GPU, one after the other, each against the
// solutions that its checks name.
//
// Solutions are read and compiled once for all submissions. From any number of threads: each waits
// for its turn.
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

  // One result a timed case of the lab. A kernel that the GPU's compiler does not take is not
  // timed; after a case that did not complete the others are not either. Error: the machine's
  // fault, or a solution's that is no good.
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

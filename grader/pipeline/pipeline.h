// The grading pipeline: Submission -> Compiled -> CaseResult... -> CheckResult... -> LabResult ->
// Report.
//
// grade_labs() in pipeline.cpp lists the stages in order. The results do not depend on the number
// of threads. Nothing here prints. A case that hits the step or time limit ends the cases of its
// kernel: a later case would only hit the same limit again.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "grader/lab/lab.h"
#include "grader/pipeline/gap_stage.h"
#include "grader/pipeline/measured.h"
#include "grader/pipeline/modelled_stage.h"
#include "grader/pipeline/timed_stage.h"
#include "grader/report/report.h"
#include "kernels/device.h"
#include "reference/timing_profile.h"

namespace histolab::grader {

// The limit for the text that a submission prints, over all its cases.
inline constexpr std::size_t most_printed_bytes = 64 * 1024;

struct GradeJob {
  const LabSpec* lab = nullptr;
  std::optional<Submission> submission;  // nullopt if not attempted
  // State of the answers to the lab's quiz. Only the check `quiz` needs it.
  std::optional<quiz::Outcome> quiz = std::nullopt;
  // Times from another machine, if `gpu` is null. Borrowed.
  const Measured* measured = nullptr;
};

struct GradeOptions {
  std::uint64_t seed = 1;
  // Runs only the cases marked as quick, and one more for each check that has none of them. Omits
  // times and their points.
  bool quick = false;
  // If a counter or a time is wrong, launches the solution as well to explain it.
  bool compares = true;
  unsigned jobs = 1;
  kernels::Observers observers;
  // For times and large cases. Findings and counters always come from the emulator.
  kernels::TimedDevice* gpu = nullptr;
  // Compiles for a GPU; empty if there is no such compiler. Called if a check needs the use of
  // local memory.
  std::function<Result<kernels::Compiled>(const kernels::Source&,
                                          const std::vector<kernels::KernelSignature>&)>
      gpu_compiler;
  // The GPU for which times are modelled if `gpu` is null.
  std::optional<reference::TimingProfile> profile;
  // Multiprocessors of the GPU that took the times of all jobs with times from another machine.
  std::uint32_t multiprocessors = 0;
  std::function<void(std::size_t done, std::size_t of)>
      progress;  // called from any thread, but never concurrently
};

// State that calls of grade_labs with the same device, seed and profile share: the results of the
// labs' solutions, which are computed only once.
struct SolutionStages {
  SolutionStages(kernels::Device& device, const GradeOptions& options);
  std::optional<TimedStage> timed;        // if there is a GPU
  std::optional<ModelledStage> modelled;  // if there is a profile but no GPU
  GapStage gaps;
};

// Returns one LabResult per job, in order. If the machine fails, that lab is an
// infrastructure_error.
[[nodiscard]] std::vector<LabResult> grade_labs(kernels::Device& device,
                                                const std::vector<GradeJob>& jobs,
                                                const GradeOptions& options);
// The same with shared stages. May be called from several threads at once.
[[nodiscard]] std::vector<LabResult> grade_labs(kernels::Device& device,
                                                const std::vector<GradeJob>& jobs,
                                                const GradeOptions& options,
                                                SolutionStages& stages);

[[nodiscard]] Report grade(kernels::Device& device, const std::vector<GradeJob>& jobs,
                           const GradeOptions& options);

// Returns the indices of the cases to run, ascending.
[[nodiscard]] std::vector<std::size_t> chosen_cases(const LabSpec& lab, bool quick);

}  // namespace histolab::grader

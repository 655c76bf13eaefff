// The grading pipeline: Submission -> Compiled -> CaseResult... -> CheckResult... -> LabResult ->
// Report.
//
// All submissions are compiled first, then the cases of all of them run on a few threads, then each
// lab is judged. The outcome does not depend on the number of threads. The timed cases come last,
// one after the other; then what is right and fails by a counter or a time is explained beside the
// solution (gap_stage.h). Nothing here prints, and nothing here ends early but for a case that ran
// into the step or time limit: the cases of that submission after it are skipped, because an
// endless loop would spend the limit on each.
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

// What is kept of a submission's printf, of all cases together.
inline constexpr std::size_t most_printed_bytes = 64 * 1024;

struct GradeJob {
  const LabSpec* lab = nullptr;
  std::optional<Submission> submission;  // nullopt: not attempted
  std::optional<quiz::Outcome> quiz =
      std::nullopt;  // how the answers to the lab's quiz stand; asked for by the check `quiz` only
  const Measured* measured =
      nullptr;  // times that were taken elsewhere, where `gpu` is null; borrowed
};

struct GradeOptions {
  std::uint64_t seed = 1;
  // Only the cases marked so, and one for each check that has none of them; no times, and no points
  // for them.
  bool quick = false;
  bool compares =
      true;  // where a counter or a time is wrong, the solution is launched too, to say why
  unsigned jobs = 1;
  kernels::Observers observers;
  kernels::TimedDevice* gpu =
      nullptr;  // times and large cases; findings and counters are the emulator's in any case
  // What a GPU's compiler makes of a kernel; empty: there is none. Asked where a check is about
  // local memory.
  std::function<Result<kernels::Compiled>(const kernels::Source&,
                                          const std::vector<kernels::KernelSignature>&)>
      gpu_compiler;
  std::optional<reference::TimingProfile>
      profile;  // where there is no GPU: of which one times are modelled
  std::uint32_t multiprocessors =
      0;  // of the GPU that took the times of all jobs that have them from elsewhere
  std::function<void(std::size_t done, std::size_t of)>
      progress;  // called from any thread, one at a time
};

// What calls of grade_labs with one device, seed and profile have in common: what belongs to the
// labs' solutions is worked out once for all.
struct SolutionStages {
  SolutionStages(kernels::Device& device, const GradeOptions& options);
  std::optional<TimedStage> timed;        // where there is a GPU
  std::optional<ModelledStage> modelled;  // where there is none, and a profile
  GapStage gaps;
};

// One LabResult per job, in their order. What the machine cannot do makes that lab an
// infrastructure_error.
[[nodiscard]] std::vector<LabResult> grade_labs(kernels::Device& device,
                                                const std::vector<GradeJob>& jobs,
                                                const GradeOptions& options);
// From any number of threads at once, with the same stages.
[[nodiscard]] std::vector<LabResult> grade_labs(kernels::Device& device,
                                                const std::vector<GradeJob>& jobs,
                                                const GradeOptions& options,
                                                SolutionStages& stages);

[[nodiscard]] Report grade(kernels::Device& device, const std::vector<GradeJob>& jobs,
                           const GradeOptions& options);

// Indices of the cases that are run, ascending.
[[nodiscard]] std::vector<std::size_t> chosen_cases(const LabSpec& lab, bool quick);

}  // namespace histolab::grader

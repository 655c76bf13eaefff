// Engine: grades the outstanding tasks of a journal on several threads.
//
// A task is one student's work for one lab. Tasks whose sources may share a result (same_source.h)
// are graded once; each gets the result with its own hash. A result depends only on its Gradings,
// not on the number of jobs, the order or an interruption. It is written to the journal before it
// counts as done, and does not stay in memory.
//
// If the machine fails, the engine tries again three times, with longer and longer pauses. After
// that the result is `needs_review`, which costs no points, and the next --resume tries again. A
// task that does not pass while Linux's OOM killer is active counts as a failure of the machine,
// because the killed process may have been its compiler or worker.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "grader/batch/groups.h"
#include "grader/batch/journal.h"
#include "grader/batch/memory.h"
#include "grader/batch/shard.h"
#include "grader/lab/lab.h"
#include "grader/pipeline/measured.h"
#include "grader/pipeline/pipeline.h"
#include "kernels/device.h"
#include "reference/result.h"

namespace histolab::batch {

struct Engine {
  kernels::Device& device;
  const std::vector<grader::LabSpec>& labs;
  grader::GradeOptions grading;  // `jobs` are threads of this engine
  std::string measurements;      // the folder, for quizzes
  Shard shard = {};              // the part of the class to grade
  // Called before a result is kept, because a cancelled launch has a wrong result.
  std::function<bool()> stopped = [] { return false; };
  // Called from any thread, one at a time.
  std::function<void(const Standing&)> progress = {};
  std::function<std::uint64_t()> ended_for_memory = processes_ended_for_memory;
  // Pause before the first retry. Each further pause is five times as long.
  std::chrono::milliseconds patience{200};
};

// Returns the engine's lab of this name, which must exist.
[[nodiscard]] const grader::LabSpec& lab_called(const Engine& engine, const std::string& name);

// Grades the labs' solutions with the class's seed, and returns the results in the labs' order.
// Returns an Error if one does not pass: then no verdict of this kit on this machine can be
// trusted. Pass the same `stages` to grade_outstanding.
[[nodiscard]] Result<std::vector<grader::LabResult>> grade_solutions(
    const Engine& engine, grader::SolutionStages& stages);

// Grades one solution, which need not pass.
[[nodiscard]] Result<grader::LabResult> grade_solution(const Engine& engine,
                                                       grader::SolutionStages& stages,
                                                       const grader::LabSpec& lab,
                                                       const grader::Measured* measured);
// Returns an Error if a solution did not pass. The message says what to do.
[[nodiscard]] Status check_solution(const grader::LabResult& result);

// Grades all outstanding tasks. Returns an Error if the journal cannot be written; earlier results
// stay.
[[nodiscard]] Status grade_outstanding(Journal& journal, const Engine& engine,
                                       grader::SolutionStages& stages);

// Grades one work. Its path in the report is always "LAB.cu", so that equal sources have equal
// reports. `measured` has times that were measured elsewhere.
[[nodiscard]] Result<grader::LabResult> grade_work(const Engine& engine,
                                                   grader::SolutionStages& stages,
                                                   const std::string& lab, const Work& work,
                                                   const grader::Measured* measured = nullptr);
// Makes the result of a work that was not run.
[[nodiscard]] grader::LabResult unjudged(const grader::LabSpec& lab, grader::Verdict status,
                                         const std::string& why);
// Makes the journal's record of a result.
[[nodiscard]] Outcome outcome_of(const grader::LabResult& result, const std::string& device_kind,
                                 double seconds);
[[nodiscard]] std::string report_of(const grader::LabResult& result,
                                    const std::string& device_kind);

}  // namespace histolab::batch

// Engine: grades what is outstanding in a journal, on a few threads.
//
// One task is one (student, lab); those whose sources may share a result (same_source.h) are one
// task together, graded once, and each gets the result under its own hash. A result depends on its
// Gradings alone: neither the number of jobs nor the order nor an interruption changes a byte of
// it. It is in the journal before it counts as done. Nothing of a result stays in memory.
//
// What the machine could not do is tried again, three times, each after a longer while; then it is
// left to a person as `needs_review`. It costs no mark, and the next --resume tries it again. So is
// what did not pass while Linux ended processes for want of memory: from a compiler or a worker
// that was ended nobody can tell whose fault it was.
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
  std::function<bool()> stopped = [] {
    return false;
  };  // asked before a result is kept: a kill brings about results of its own
  std::function<void(const Standing&)> progress = {};  // from any thread, one at a time
  std::function<std::uint64_t()> ended_for_memory = processes_ended_for_memory;
  std::chrono::milliseconds patience{
      200};  // before the first retry; each next one waits five times as long
};

// One of the engine's labs; it is there.
[[nodiscard]] const grader::LabSpec& lab_called(const Engine& engine, const std::string& name);

// The labs' own solutions, with the class's seed. Error: one does not pass, so no verdict of this
// kit on this machine can be trusted. `stages` is kept for grade_outstanding. In the labs' order.
[[nodiscard]] Result<std::vector<grader::LabResult>> grade_solutions(
    const Engine& engine, grader::SolutionStages& stages);

// One of them, whatever comes of it.
[[nodiscard]] Result<grader::LabResult> grade_solution(const Engine& engine,
                                                       grader::SolutionStages& stages,
                                                       const grader::LabSpec& lab,
                                                       const grader::Measured* measured);
// Error: a solution's result is not that it passed, and what to do.
[[nodiscard]] Status check_solution(const grader::LabResult& result);

// Error: the journal cannot be written; what was kept stays.
[[nodiscard]] Status grade_outstanding(Journal& journal, const Engine& engine,
                                       grader::SolutionStages& stages);

// One work; its report is what report_of() makes of it. The path is "LAB.cu", whatever the file was
// called, so that equal sources have equal reports. `measured`: times that were taken elsewhere.
[[nodiscard]] Result<grader::LabResult> grade_work(const Engine& engine,
                                                   grader::SolutionStages& stages,
                                                   const std::string& lab, const Work& work,
                                                   const grader::Measured* measured = nullptr);
// Of what was not run: `status`, and why.
[[nodiscard]] grader::LabResult unjudged(const grader::LabSpec& lab, grader::Verdict status,
                                         const std::string& why);
// What a journal keeps of it.
[[nodiscard]] Outcome outcome_of(const grader::LabResult& result, const std::string& device_kind,
                                 double seconds);
[[nodiscard]] std::string report_of(const grader::LabResult& result,
                                    const std::string& device_kind);

}  // namespace histolab::batch

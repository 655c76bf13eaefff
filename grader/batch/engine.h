// Engine: grades what is outstanding in a journal, on a few threads.
//
// One task is one (student, lab); those whose sources may share a result (same_source.h) are one task together, graded once, and
// each gets the result under its own hash. A result depends on its Gradings alone: neither the number of jobs nor the order nor an
// interruption changes a byte of it. It is in the journal before it counts as done. Nothing of a result stays in memory.
//
// What the machine could not do is tried again, three times, each after a longer while; then it is left to a person as
// `needs_review`. It costs no mark, and the next --resume tries it again.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "grader/batch/journal.h"
#include "grader/lab.h"
#include "grader/pipeline.h"
#include "kernels/device.h"
#include "reference/result.h"

namespace histolab::batch {

// How far it is.
struct Standing {
  std::size_t done = 0, of = 0;  // results, those of an earlier run not counted
  std::size_t passed = 0, failed = 0, review = 0;
  double seconds = 0;            // since it began
  double seconds_left = -1;      // by what the labs' solutions took and the pace so far; negative: too early to say
};

struct Engine {
  kernels::Device& device;
  const std::vector<grader::LabSpec>& labs;
  grader::GradeOptions grading;      // `jobs` are threads of this engine
  std::string measurements;          // the folder, for quizzes
  std::function<bool()> stopped = [] { return false; };         // asked before a result is kept: a kill brings about results of its own
  std::function<void(const Standing&)> progress = {};           // from any thread, one at a time
  std::chrono::milliseconds patience{200};                      // before the first retry; each next one waits five times as long
};

// The labs' own solutions, with the class's seed. Error: one does not pass, so no verdict of this kit on this machine can be trusted.
// `stages` is kept for grade_outstanding. In the labs' order.
[[nodiscard]] Result<std::vector<grader::LabResult>> grade_solutions(const Engine& engine, grader::SolutionStages& stages);

// Error: the journal cannot be written; what was kept stays.
[[nodiscard]] Status grade_outstanding(Journal& journal, const Engine& engine, grader::SolutionStages& stages);

// One work, as the journal tells it; its report is what `json_of` makes of it. The path is "LAB.cu", whatever the file was called, so
// that equal sources have equal reports.
[[nodiscard]] Result<grader::LabResult> grade_task(Journal& journal, const Engine& engine, grader::SolutionStages& stages, const Task& task);
[[nodiscard]] std::string report_of(const grader::LabResult& result, const std::string& device_kind);

}  // namespace histolab::batch

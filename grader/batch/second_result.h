// Second results: compares two results of one submission. A cluster may run a task twice, and
// merged shards may overlap.
//
// The first result with a mark counts, and the second has to agree: to the byte, or in all points
// if times were measured. If it does not, the submission becomes needs_review, and stays so: a
// person has to decide which machine was right.
#pragma once

#include <string>

#include "grader/batch/journal.h"
#include "grader/lab/lab.h"
#include "grader/report/report.h"
#include "reference/result.h"

namespace histolab::batch {

// Whether two reports of one submission (JSON of a lab) agree.
[[nodiscard]] bool agree(const std::string& first, const std::string& second);

enum class Second {
  counts,   // the journal has no result with a mark yet
  ignored,  // it has no mark itself, or the submission is disputed already
  agrees,
  disagrees
};
struct Comparison {
  Second second = Second::ignored;
  Outcome kept;  // the journal's result; empty if it has none
};
// Compares `found` with the journal's result of the task.
[[nodiscard]] Result<Comparison> compare_with_kept(Journal& journal, const Task& task,
                                                   const Outcome& found);

// The result of a disputed submission: needs_review, with both reports and the first differences.
// The names are those of the machines.
[[nodiscard]] Outcome disputed_outcome(const grader::LabSpec& lab, const Task& task,
                                       const Outcome& kept, const std::string& kept_name,
                                       const Outcome& found, const std::string& found_name);

// The result of a submission that was not run.
[[nodiscard]] Outcome unjudged_outcome(const grader::LabSpec& lab, const Task& task,
                                       grader::Verdict status, const std::string& why);

}  // namespace histolab::batch

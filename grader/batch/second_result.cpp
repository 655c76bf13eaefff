#include "grader/batch/second_result.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "grader/batch/engine.h"
#include "grader/batch/replay.h"
#include "grader/report/report_reader.h"

namespace histolab::batch {
namespace {

using grader::CheckResult;
using grader::LabResult;

bool is_measured(const LabResult& result) {
  return std::ranges::any_of(result.timed, [](const grader::TimedCaseResult& each) {
    return each.measured && each.timing.has_value();
  });
}

bool same_points(const LabResult& first, const LabResult& second) {
  return first.status == second.status && first.score == second.score &&
         std::ranges::equal(first.checks, second.checks,
                            [](const CheckResult& a, const CheckResult& b) {
                              return a.id == b.id && a.status == b.status && a.score == b.score;
                            });
}

}  // namespace

bool agree(const std::string& first, const std::string& second) {
  if (first == second) return true;
  const Result<LabResult> one = grader::lab_result_from_json(first, "a report");
  const Result<LabResult> other = grader::lab_result_from_json(second, "a report");
  return one && other && is_measured(*one) && is_measured(*other) && same_points(*one, *other);
}

Result<Comparison> compare_with_kept(Journal& journal, const Task& task, const Outcome& found) {
  Comparison result;
  if (TRY(journal.is_disputed(task))) return result;
  const std::optional<Outcome> kept = TRY(journal.finished(task));
  if (kept) result.kept = *kept;
  if (!kept || is_without_mark(kept->status))
    result.second = Second::counts;  // a late result is better than none
  else if (!is_without_mark(found.status))
    result.second = agree(kept->report, found.report) ? Second::agrees : Second::disagrees;
  return result;
}

Outcome disputed_outcome(const grader::LabSpec& lab, const Task& task, const Outcome& kept,
                         const std::string& kept_name, const Outcome& found,
                         const std::string& found_name) {
  std::vector<std::string> differences = differences_of(kept.report, found.report);
  differences.resize(std::min<std::size_t>(differences.size(), 3));
  const std::string why = fmt::format(
      "two machines do not agree: {} found {} with {:g} points, {} {} with {:g}; {}", kept_name,
      kept.status, kept.score, found_name, found.status, found.score, fmt::join(differences, "; "));
  Outcome open = unjudged_outcome(lab, task, grader::Verdict::needs_review, why);
  open.dispute = kept.report + found.report;
  return open;
}

Outcome unjudged_outcome(const grader::LabSpec& lab, const Task& task, grader::Verdict status,
                         const std::string& why) {
  LabResult result = unjudged(lab, status, why);
  if (!task.kernel.empty())
    result.submission = grader::Submission{task.lab + ".cu", "", task.kernel};
  return outcome_of(result, "emulator", 0);
}

}  // namespace histolab::batch

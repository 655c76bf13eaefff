#include "grader/report/report.h"

#include <algorithm>
#include <ranges>

namespace histolab::grader {

std::string_view name(Verdict verdict) {
  switch (verdict) {
    case Verdict::passed: return "passed";
    case Verdict::failed: return "failed";
    case Verdict::compile_error: return "compile_error";
    case Verdict::timeout: return "timeout";
    case Verdict::crashed: return "crashed";
    case Verdict::refused: return "refused";
    case Verdict::not_attempted: return "not_attempted";
    case Verdict::infrastructure_error: return "infrastructure_error";
    case Verdict::needs_review: return "needs_review";
  }
  // mutant return {}: it is the same empty text
  return "";
}

std::string_view name(CheckResult::Status status) {
  switch (status) {
    case CheckResult::Status::passed: return "passed";
    case CheckResult::Status::failed: return "failed";
    case CheckResult::Status::not_run: return "not_run";
  }
  // mutant return {}: it is the same empty text
  return "";
}

int Report::score() const {
  int sum = 0;
  for (const LabResult& lab : labs) sum += lab.score;
  return sum;
}

int Report::max_score() const {
  int sum = 0;
  for (const LabResult& lab : labs) sum += lab.max_score;
  return sum;
}

bool Report::all_passed() const {
  return std::all_of(labs.begin(), labs.end(),
                     [](const LabResult& lab) { return lab.status == Verdict::passed; });
}

bool Report::machine_failed() const {
  return std::any_of(labs.begin(), labs.end(),
                     [](const LabResult& lab) { return !has_mark(lab.status); });
}

void merge_findings(std::vector<kernels::Finding>& into,
                    const std::vector<kernels::Finding>& more) {
  std::size_t next = into.size();
  for (const kernels::Finding& finding : more | std::views::reverse) {
    const auto known = std::ranges::find_if(
        into, [&](const kernels::Finding& f) { return same_cause(f, finding); });
    if (known == into.end()) {
      into.insert(into.begin() + static_cast<std::ptrdiff_t>(next), finding);
    } else {
      merge(*known, finding);
      next = static_cast<std::size_t>(known - into.begin());
    }
  }
  std::ranges::stable_partition(into, [](const kernels::Finding& finding) {
    return finding.severity == kernels::Severity::error;
  });
}

double TimedCaseResult::Rival::ms() const {
  if (timing.alone_ms <= 0) return timing.median_ms;
  return right ? std::min(timing.alone_ms, timing.median_ms) : timing.alone_ms;
}

const CheckResult* first_failing(const LabResult& lab) {
  for (const bool of_quiz : {false, true})
    for (const auto status : {CheckResult::Status::failed, CheckResult::Status::not_run}) {
      const auto found =
          std::find_if(lab.checks.begin(), lab.checks.end(), [&](const CheckResult& check) {
            return check.of_quiz == of_quiz && check.status == status;
          });
      if (found != lab.checks.end()) return &*found;
    }
  return nullptr;
}

}  // namespace histolab::grader

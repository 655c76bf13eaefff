#include "grader/class_report/overview.h"

#include <algorithm>
#include <numeric>

namespace histolab::class_report {
namespace {

using grader::CheckResult;
using grader::LabResult;
using grader::TimedCaseResult;
using grader::Verdict;

const TimedCaseResult* timed_case(const LabResult& lab, const std::string& id) {
  const auto found = std::find_if(lab.timed.begin(), lab.timed.end(),
                                  [&](const TimedCaseResult& each) { return each.id == id; });
  return found != lab.timed.end() && found->completed() && found->timing &&
                 found->timing->median_ms > 0
             ? &*found
             : nullptr;
}

void count_checks(const LabResult& result, std::vector<CheckCount>& checks) {
  for (const CheckResult& check : result.checks) {
    auto known = std::find_if(checks.begin(), checks.end(),
                              [&](const CheckCount& each) { return each.id == check.id; });
    if (known == checks.end())
      known = checks.insert(checks.end(), CheckCount{check.id, check.title, check.max_score, 0, 0});
    known->judged += check.status != CheckResult::Status::not_run;
    known->failed += check.status == CheckResult::Status::failed;
  }
}

}  // namespace

std::optional<Times> times_of(const LabResult& own, const LabResult& solution) {
  for (const TimedCaseResult& each : solution.timed)
    if (const TimedCaseResult* mine = timed_case(own, each.id);
        mine != nullptr && timed_case(solution, each.id) != nullptr)
      return Times{mine->timing->median_ms, each.timing->median_ms};
  return std::nullopt;
}

Overview::Overview(const batch::ClassResults& results) : labs(results.labs.size()) {
  for (std::size_t l = 0; l < labs.size(); ++l)
    count_checks(results.labs[l].solution, labs[l].checks);
  for (LabCount& lab : labs)
    for (CheckCount& check : lab.checks)
      check.judged = check.failed = 0;  // only the names are of interest
}

void Overview::add(const batch::ClassResults& results, const batch::Entry& entry) {
  bool passed = !entry.marks.empty(), nothing = true;
  for (std::size_t l = 0; l < std::min(entry.marks.size(), labs.size()); ++l) {
    const batch::Mark& mark = entry.marks[l];
    LabCount& lab = labs[l];
    ++lab.verdicts[index_of(mark.result.status)];
    passed &= mark.result.status == Verdict::passed;
    nothing &= mark.result.status == Verdict::not_attempted;
    if (counts(mark) && mark.result.status != Verdict::not_attempted) {
      lab.scores.push_back(mark.score);
      count_checks(mark.result, lab.checks);
      if (const auto times = times_of(mark.result, results.labs[l].solution))
        lab.times.push_back(times->ratio());
    }
    lab.seconds += mark.seconds;
    lab.longest_seconds = std::max(lab.longest_seconds, mark.seconds);
    seconds += mark.seconds;
  }
  all_passed += passed;
  nothing_handed_in += nothing;
  if (const Standing standing = standing_of(entry, results.labs.size()); standing.complete)
    totals.push_back(standing.score);
  else
    ++without_a_mark;
}

void Overview::sort() {
  for (LabCount& lab : labs) {
    std::sort(lab.scores.begin(), lab.scores.end());
    std::sort(lab.times.begin(), lab.times.end());
  }
  std::sort(totals.begin(), totals.end());
}

double median(const std::vector<double>& ascending) {
  if (ascending.empty()) return 0;
  const std::size_t middle = ascending.size() / 2;
  return ascending.size() % 2 == 1 ? ascending[middle]
                                   : (ascending[middle - 1] + ascending[middle]) / 2;
}

double mean(const std::vector<double>& values) {
  return values.empty() ? 0
                        : std::accumulate(values.begin(), values.end(), 0.0) /
                              static_cast<double>(values.size());
}

std::array<std::size_t, 11> spread(const std::vector<double>& values, double most) {
  std::array<std::size_t, 11> buckets{};
  for (const double value : values) {
    const double part = most > 0 ? std::clamp(value / most, 0.0, 1.0) : 0;
    ++buckets[value >= most && most > 0
                  ? 10
                  : std::min<std::size_t>(static_cast<std::size_t>(part * 10), 9)];
  }
  return buckets;
}

}  // namespace histolab::class_report

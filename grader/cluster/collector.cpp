#include "grader/cluster/collector.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "grader/batch/engine.h"
#include "grader/batch/replay.h"
#include "grader/report/report_reader.h"

namespace histolab::cluster {
namespace {

using batch::Journal;
using batch::Outcome;
using batch::Task;
using grader::LabResult;
using grader::Verdict;

bool is_measured(const LabResult& result) {
  return std::ranges::any_of(result.timed, [](const grader::TimedCaseResult& each) {
    return each.measured && each.timing.has_value();
  });
}

bool same_points(const LabResult& first, const LabResult& second) {
  return first.status == second.status && first.score == second.score &&
         std::ranges::equal(first.checks, second.checks,
                            [](const grader::CheckResult& a, const grader::CheckResult& b) {
                              return a.id == b.id && a.status == b.status && a.score == b.score;
                            });
}

}  // namespace

bool agree(const std::string& first, const std::string& second) {
  if (first == second) return true;
  const Result<LabResult> one = grader::lab_result_from_json(first, "a report"),
                          other = grader::lab_result_from_json(second, "a report");
  return one && other && is_measured(*one) && is_measured(*other) && same_points(*one, *other);
}

Collector::Collector(Journal& journal, const std::vector<grader::LabSpec>& labs,
                     const std::vector<std::vector<Task>>& groups, batch::Tally& tally)
    : journal_(journal), labs_(labs), groups_(groups), tally_(tally) {
  for (std::size_t i = 0; i < groups.size(); ++i) by_grading_.emplace(groups[i].front().grading, i);
}

Outcome Collector::unjudged(const Task& task, Verdict status, const std::string& why) const {
  const auto lab = std::ranges::find(labs_, task.lab, &grader::LabSpec::name);
  LabResult result = batch::unjudged(*lab, status, why);
  if (!task.kernel.empty())
    result.submission = grader::Submission{task.lab + ".cu", "", task.kernel};
  return batch::outcome_of(result, "emulator", 0);
}

void Collector::add_first(const std::vector<Task>& group, const Found& found,
                          std::vector<Journal::Done>& results) {
  const std::vector<Journal::Done> all =
      batch::results_of(group, found.outcome, group.front().kernel);
  results.insert(results.end(), all.begin(), all.end());
}

Status Collector::compare(const std::vector<Task>& works, const Found& found,
                          std::vector<Journal::Done>& results) {
  const Task& first = works.front();
  const bool disputed = TRY(journal_.is_disputed(first));
  if (disputed || disputed_.contains(found.grading)) return Done{};
  const std::optional<Outcome> kept = TRY(journal_.finished(first));
  if (!kept || batch::is_without_mark(kept->status))
    return add_first(works, found, results), Done{};  // one that came too late is better than none
  if (batch::is_without_mark(found.outcome.status)) return Done{};
  ++found_twice_;
  if (agree(kept->report, found.outcome.report)) return Done{};
  const std::string node = TRY(journal_.node_of(first));
  disputed_.insert(found.grading);
  std::vector<std::string> differences = batch::differences_of(kept->report, found.outcome.report);
  differences.resize(std::min<std::size_t>(differences.size(), 3));
  const std::string why =
      fmt::format("two nodes do not agree: {} found {} with {:g} points, {} {} with {:g}; {}",
                  node.empty() ? "one" : node, kept->status, kept->score, found.outcome.node,
                  found.outcome.status, found.outcome.score, fmt::join(differences, "; "));
  for (const Task& task : works) {
    Outcome open = unjudged(task, Verdict::needs_review, why);
    open.dispute = kept->report + found.outcome.report;
    results.push_back({&task, std::make_shared<const Outcome>(std::move(open))});
  }
  return Done{};
}

Status Collector::take(const Part& part) {
  if (!part.node.gpu_name.empty())
    gpus_.insert(part.node.gpu_name), drivers_.insert(part.node.gpu_driver);
  std::vector<Journal::Done> results;
  std::vector<std::pair<std::size_t, std::string>> counted;        // works, status
  std::vector<std::unique_ptr<std::vector<Task>>> of_another_run;  // `results` points into them
  std::set<std::string> new_ones;
  for (const Found& found : part.found) {
    seconds_ += found.outcome.seconds;
    if (found.outcome.status.empty()) continue;  // times, which somebody will judge with
    const auto expected = by_grading_.find(found.grading);
    if (expected == by_grading_.end()) {  // an earlier run may have its result
      std::vector<Task> works = TRY(journal_.works_with(found.grading));
      if (works.empty()) continue;  // of what nobody hands in any more
      of_another_run.push_back(std::make_unique<std::vector<Task>>(std::move(works)));
      TRY(compare(*of_another_run.back(), found, results));
      continue;
    }
    const std::vector<Task>& group = groups_[expected->second];
    const bool is_new = !done_.contains(found.grading) && new_ones.insert(found.grading).second;
    if (is_new) {
      add_first(group, found, results);
      counted.emplace_back(group.size(), found.outcome.status);
    } else if (Status compared = compare(group, found, results); !compared) {
      return compared;
    }
  }
  TRY(journal_.add(results));
  done_.merge(new_ones);
  for (const auto& [works, status] : counted) tally_.add(works, status);
  return Done{};
}

Status Collector::take_known(const std::vector<Journal::Done>& results) {
  TRY(journal_.add(results));
  done_.insert(results.front().task->grading);
  tally_.add(results.size(), results.front().outcome->status);
  return Done{};
}

Status Collector::give_up(const std::vector<std::string>& gradings, int tries,
                          const Failure& failure) {
  std::vector<Journal::Done> results;
  for (const std::string& grading : gradings) {
    const auto expected = by_grading_.find(grading);
    if (expected == by_grading_.end() || done_.contains(grading)) continue;
    for (const Task& task : groups_[expected->second])
      results.push_back(
          {&task, std::make_shared<const Outcome>(
                      unjudged(task, Verdict::infrastructure_error,
                               fmt::format("the cluster failed at it {} times, the last time on {}",
                                           tries, failure.why)))});
  }
  TRY(journal_.add(results));
  for (const std::string& grading : gradings)
    if (const auto expected = by_grading_.find(grading);
        expected != by_grading_.end() && done_.insert(grading).second)
      tally_.add(groups_[expected->second].size(),
                 std::string{name(Verdict::infrastructure_error)});
  return Done{};
}

}  // namespace histolab::cluster

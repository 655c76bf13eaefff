#include "grader/cluster/collector.h"

#include <fmt/format.h>

#include <algorithm>

#include "grader/batch/second_result.h"

namespace histolab::cluster {
namespace {

using batch::Journal;
using batch::Outcome;
using batch::Task;
using grader::Verdict;

}  // namespace

Collector::Collector(Journal& journal, const std::vector<grader::LabSpec>& labs,
                     const std::vector<std::vector<Task>>& groups, batch::Tally& tally)
    : journal_(journal), labs_(labs), groups_(groups), tally_(tally) {
  for (std::size_t i = 0; i < groups.size(); ++i) by_grading_.emplace(groups[i].front().grading, i);
}

const grader::LabSpec& Collector::lab_of(const Task& task) const {
  return *std::ranges::find(labs_, task.lab, &grader::LabSpec::name);
}

void Collector::add_first(const std::vector<Task>& group, const Found& found,
                          std::vector<Journal::Done>& results) {
  const std::vector<Journal::Done> all =
      batch::results_of(group, found.outcome, group.front().kernel);
  results.insert(results.end(), all.begin(), all.end());
}

Status Collector::compare(const std::vector<Task>& works, const Found& found,
                          std::vector<Journal::Done>& results) {
  if (disputed_.contains(found.grading)) return Done{};  // in this part
  const Task& first = works.front();
  const batch::Comparison compared = TRY(batch::compare_with_kept(journal_, first, found.outcome));
  if (compared.second == batch::Second::ignored) return Done{};
  if (compared.second == batch::Second::counts) {
    add_first(works, found, results);
    return Done{};
  }
  ++found_twice_;
  if (compared.second == batch::Second::agrees) return Done{};
  const std::string node = TRY(journal_.node_of(first));
  disputed_.insert(found.grading);
  for (const Task& task : works) {
    const auto outcome = std::make_shared<const Outcome>(
        batch::disputed_outcome(lab_of(task), task, compared.kept, node.empty() ? "one" : node,
                                found.outcome, found.outcome.node));
    results.push_back({&task, outcome});
  }
  return Done{};
}

Status Collector::take(const Part& part) {
  if (!part.node.gpu_name.empty()) {
    gpus_.insert(part.node.gpu_name);
    drivers_.insert(part.node.gpu_driver);
  }
  std::vector<Journal::Done> results;
  std::vector<std::pair<std::size_t, std::string>> counted;        // works, status
  std::vector<std::unique_ptr<std::vector<Task>>> of_another_run;  // `results` points into them
  std::set<std::string> new_ones;
  for (const Found& found : part.found) {
    seconds_ += found.outcome.seconds;
    if (found.outcome.status.empty()) continue;  // times, to be judged with later
    const auto expected = by_grading_.find(found.grading);
    if (expected == by_grading_.end()) {  // an earlier run may have its result
      std::vector<Task> works = TRY(journal_.works_with(found.grading));
      if (works.empty()) continue;  // the class no longer has this submission
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
    const std::string why =
        fmt::format("the cluster failed at it {} times, the last time on {}", tries, failure.why);
    for (const Task& task : groups_[expected->second])
      results.push_back({&task, std::make_shared<const Outcome>(batch::unjudged_outcome(
                                    lab_of(task), task, Verdict::infrastructure_error, why))});
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

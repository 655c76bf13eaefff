#include "grader/batch/groups.h"

#include <algorithm>
#include <map>
#include <memory>

#include "reference/seconds_since.h"

namespace histolab::batch {
namespace {

template <typename Key>
std::vector<std::vector<Task>> groups_by(std::vector<Task> tasks, Key key) {
  std::vector<std::vector<Task>> groups;
  std::map<std::string, std::size_t> known;
  for (Task& task : tasks) {
    const auto [at, is_new] = known.try_emplace(key(task), groups.size());
    if (is_new) groups.emplace_back();
    groups[at->second].push_back(std::move(task));
  }
  for (auto& group : groups)
    std::stable_sort(group.begin(), group.end(),
                     [](const Task& a, const Task& b) { return a.kernel < b.kernel; });
  return groups;
}

}  // namespace

std::vector<std::vector<Task>> groups_of(std::vector<Task> tasks) {
  // Works without a kernel have no `sharing`.
  return groups_by(std::move(tasks), [](const Task& task) {
    return task.sharing.empty() ? task.grading : task.sharing;
  });
}

std::vector<std::vector<Task>> groups_of_equal(std::vector<Task> tasks) {
  return groups_by(std::move(tasks), [](const Task& task) { return task.grading; });
}

Result<Work> work_of(Journal& journal, const Task& task) {
  Work work;
  work.path = task.path, work.problem = task.problem;
  for (const auto& [hash, text] :
       {std::pair{&task.kernel, &work.kernel}, {&task.sheet, &work.sheet}}) {
    if (hash->empty()) continue;
    *text = TRY(journal.source(*hash));
  }
  return work;
}

std::vector<Journal::Done> results_of(std::span<const Task> group, Outcome first,
                                      const std::string& named) {
  const auto outcome = std::make_shared<const Outcome>(std::move(first));
  std::vector<Journal::Done> results;
  for (const Task& task : group)
    results.push_back(
        {&task, outcome, &task == &group.front() ? outcome->seconds : 0, task.kernel != named});
  return results;
}

std::size_t tasks_with_result(std::span<const Task> group, std::string_view status) {
  if (status == "passed" || status == "failed") return group.size();
  const auto other = std::ranges::find_if(
      group, [&](const Task& task) { return task.kernel != group.front().kernel; });
  return static_cast<std::size_t>(other - group.begin());
}

Result<std::vector<Journal::Done>> results_alike(Journal& journal, const std::vector<Task>& group) {
  if (group.front().sharing.empty()) return std::vector<Journal::Done>{};
  std::optional<Outcome> known = TRY(journal.finished_with_sharing(group.front().sharing));
  if (!known) return std::vector<Journal::Done>{};
  known->seconds = 0;
  return results_of(group, std::move(*known), "");
}

Tally::Tally(const std::vector<std::vector<Task>>& groups,
             std::function<void(const Standing&)> progress)
    : progress_(std::move(progress)), groups_left_(groups.size()) {
  for (const auto& group : groups) standing_.of += group.size();
}

void Tally::add(std::size_t works, const std::string& status, bool last) {
  const std::lock_guard lock{lock_};
  standing_.done += works;
  if (last) {
    ++groups_done_;
    --groups_left_;
  }
  (status == "passed"        ? standing_.passed
   : is_without_mark(status) ? standing_.review
                             : standing_.failed) += works;
  standing_.seconds = reference::seconds_since(begin_);
  if (groups_done_ >= 10)
    standing_.seconds_left =
        standing_.seconds / static_cast<double>(groups_done_) * static_cast<double>(groups_left_);
  if (progress_) progress_(standing_);
}

}  // namespace histolab::batch

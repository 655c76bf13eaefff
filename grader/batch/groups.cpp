#include "grader/batch/groups.h"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "grader/report/report_json.h"
#include "reference/nesting.h"
#include "reference/seconds_since.h"

namespace histolab::batch {
namespace {

// The same report under another submission's hash.
Result<std::string> told_of(const std::string& report, const std::string& sha256) {
  nlohmann::ordered_json json = nests_too_deep(report) ? nlohmann::ordered_json() : nlohmann::ordered_json::parse(report, nullptr, false);
  if (!json.is_object() || !json.contains("submission") || !json["submission"].is_object()) return Error{"the journal holds a result that is none; it is damaged"};
  json["submission"]["sha256"] = sha256;
  return grader::text_of(json, true);
}

}  // namespace

std::vector<std::vector<Task>> groups_of(std::vector<Task> tasks) {
  std::vector<std::vector<Task>> groups;
  std::map<std::string, std::size_t> known;
  for (Task& task : tasks) {
    const auto [at, is_new] = known.try_emplace(task.sharing.empty() ? task.grading : task.sharing, groups.size());  // nothing was handed in by many
    if (is_new) groups.emplace_back();
    groups[at->second].push_back(std::move(task));
  }
  for (auto& group : groups) std::stable_sort(group.begin(), group.end(), [](const Task& a, const Task& b) { return a.kernel < b.kernel; });
  return groups;
}

Result<Work> work_of(Journal& journal, const Task& task) {
  Work work;
  work.path = task.path, work.problem = task.problem;
  for (const auto& [hash, text] : {std::pair{&task.kernel, &work.kernel}, {&task.sheet, &work.sheet}}) {
    if (hash->empty()) continue;
    Result<std::string> found = journal.source(*hash);
    if (!found) return found.error();
    *text = std::move(*found);
  }
  return work;
}

Result<std::vector<Journal::Done>> results_of(const std::vector<Task>& group, const Outcome& first, const std::string& told) {
  std::vector<Journal::Done> results;
  for (const Task& task : group) {
    Outcome own = first;
    if (task.kernel != told) {
      Result<std::string> report = told_of(first.report, task.kernel);
      if (!report) return report.error();
      own.report = std::move(*report);
    }
    if (&task != &group.front()) own.seconds = 0;
    results.push_back({&task, std::move(own)});
  }
  return results;
}

Result<std::vector<Journal::Done>> results_alike(Journal& journal, const std::vector<Task>& group) {
  if (group.front().sharing.empty()) return std::vector<Journal::Done>{};
  Result<std::optional<Outcome>> known = journal.finished_alike(group.front().sharing);
  if (!known) return known.error();
  if (!*known) return std::vector<Journal::Done>{};
  (*known)->seconds = 0;
  return results_of(group, **known, "");
}

Tally::Tally(const std::vector<std::vector<Task>>& groups, std::function<void(const Standing&)> progress) : progress_(std::move(progress)), groups_left_(groups.size()) {
  for (const auto& group : groups) standing_.of += group.size();
}

void Tally::add(std::size_t works, const std::string& status) {
  const std::lock_guard lock{lock_};
  standing_.done += works;
  ++groups_done_, --groups_left_;
  (status == "passed" ? standing_.passed : is_without_mark(status) ? standing_.review : standing_.failed) += works;
  standing_.seconds = reference::seconds_since(begin_);
  if (groups_done_ >= 10) standing_.seconds_left = standing_.seconds / static_cast<double>(groups_done_) * static_cast<double>(groups_left_);
  if (progress_) progress_(standing_);
}

}  // namespace histolab::batch

#include "grader/batch/engine.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <map>
#include <mutex>
#include <nlohmann/json.hpp>
#include <thread>

#include "grader/parallel.h"
#include "grader/quiz_check.h"
#include "grader/report_json.h"
#include "grader/submission.h"
#include "grader/words.h"

namespace histolab::batch {
namespace {

using grader::GradeJob;
using grader::LabResult;
using grader::LabSpec;
using grader::Verdict;
using Clock = std::chrono::steady_clock;

constexpr int most_tries = 4;

double seconds_since(Clock::time_point begin) { return std::chrono::duration<double>(Clock::now() - begin).count(); }

const LabSpec& lab_called(const Engine& engine, const std::string& name) {
  return *std::find_if(engine.labs.begin(), engine.labs.end(), [&](const LabSpec& lab) { return lab.name == name; });
}

grader::GradeOptions of_one(const Engine& engine) {
  grader::GradeOptions options = engine.grading;
  options.jobs = 1;
  options.progress = {};
  return options;
}

// Of what was not run, and why.
LabResult without_a_run(const LabSpec& lab, Verdict status, const std::string& why) {
  LabResult result;
  result.lab = lab.name, result.title = lab.title, result.max_score = lab.max_score;
  result.status = status;
  result.message = why;
  for (const grader::CheckSpec& check : lab.checks) {
    grader::CheckResult not_run;
    not_run.id = check.id, not_run.title = check.title, not_run.max_score = check.points;
    not_run.message = status == Verdict::refused ? "the kernel was refused" : "nobody could judge it";
    result.checks.push_back(std::move(not_run));
  }
  return result;
}

// Those that share one result, in the order of their kernels' hashes: the first one is graded.
std::vector<std::vector<Task>> shared(std::vector<Task> tasks) {
  std::vector<std::vector<Task>> groups;
  std::map<std::string, std::size_t> known;
  for (Task& task : tasks) {
    if (task.sharing.empty()) {
      groups.push_back({std::move(task)});
      continue;
    }
    const auto [at, is_new] = known.try_emplace(task.sharing, groups.size());
    if (is_new) groups.emplace_back();
    groups[at->second].push_back(std::move(task));
  }
  for (auto& group : groups) std::stable_sort(group.begin(), group.end(), [](const Task& a, const Task& b) { return a.kernel < b.kernel; });
  return groups;
}

// The same report under another submission's hash.
Result<std::string> told_of(const std::string& report, const std::string& sha256) {
  nlohmann::ordered_json json = nlohmann::ordered_json::parse(report, nullptr, false);
  if (!json.is_object() || !json.contains("submission") || !json["submission"].is_object()) return Error{"the journal holds a result that is none; it is damaged"};
  json["submission"]["sha256"] = sha256;
  return grader::text_of(json, true);
}

class Tally {
 public:
  Tally(const Engine& engine, const std::vector<std::vector<Task>>& groups) : engine_(engine) {
    for (const auto& group : groups) standing_.of += group.size(), groups_left_ += 1;
  }
  void add(const std::vector<Task>& group, const std::string& status) {
    const std::lock_guard lock{lock_};
    standing_.done += group.size();
    ++groups_done_, --groups_left_;
    (status == "passed" ? standing_.passed : status == "needs_review" ? standing_.review : standing_.failed) += group.size();
    standing_.seconds = seconds_since(begin_);
    if (groups_done_ >= 10) standing_.seconds_left = standing_.seconds / static_cast<double>(groups_done_) * static_cast<double>(groups_left_);
    if (engine_.progress) engine_.progress(standing_);
  }

 private:
  const Engine& engine_;
  std::mutex lock_;
  Standing standing_;
  std::size_t groups_done_ = 0, groups_left_ = 0;
  Clock::time_point begin_ = Clock::now();
};

// Tried again where the machine failed, a little later each time.
LabResult patiently(const Engine& engine, const std::function<LabResult()>& grade) {
  auto pause = engine.patience;
  for (int tried = 1;; ++tried) {
    LabResult result = grade();
    if (result.status != Verdict::infrastructure_error || engine.stopped()) return result;
    if (tried == most_tries) {
      result.status = Verdict::needs_review;
      result.message = fmt::format("the machine failed {} times: {}", tried, result.message);
      return result;
    }
    std::this_thread::sleep_for(pause);
    pause *= 5;
  }
}

}  // namespace

std::string report_of(const LabResult& result, const std::string& device_kind) { return grader::text_of(grader::json_of(result, device_kind), true); }

Result<std::vector<LabResult>> grade_solutions(const Engine& engine, grader::SolutionStages& stages) {
  std::vector<Result<LabResult>> graded(engine.labs.size(), Error{});
  grader::parallel_for(engine.labs.size(), engine.grading.jobs, [&](std::size_t i) {
    const LabSpec& lab = engine.labs[i];
    Result<grader::Submission> solution = grader::read_submission(lab.solution_path());
    Result<std::optional<quiz::Outcome>> quiz = grader::quiz_outcome(lab, "", engine.measurements);
    if (!solution || !quiz) {
      graded[i] = !solution ? solution.error() : quiz.error();
      return;
    }
    solution->path = lab.name + ".cu";
    const std::vector<GradeJob> job = {{&lab, std::move(*solution), std::move(*quiz)}};
    graded[i] = patiently(engine, [&] { return grader::grade_labs(engine.device, job, of_one(engine), stages).front(); });
  });
  std::vector<LabResult> results;
  for (Result<LabResult>& each : graded) {
    if (!each) return each.error();
    const grader::CheckResult* failing = grader::first_failing(*each);
    if (each->status != Verdict::passed)
      return Error{fmt::format("the solution of {} does not pass here ({}: {}), so nothing was graded; `histolab doctor` looks at the machine, `histolab check {}` at the lab", each->lab, name(each->status),
                               each->message.empty() && failing != nullptr ? failing->id + ": " + failing->message : each->message, each->lab)};
    results.push_back(std::move(*each));
  }
  return results;
}

Result<LabResult> grade_task(Journal& journal, const Engine& engine, grader::SolutionStages& stages, const Task& task) {
  const LabSpec& lab = lab_called(engine, task.lab);
  if (!task.problem.empty()) return without_a_run(lab, Verdict::needs_review, task.problem);
  GradeJob job{&lab, std::nullopt};
  if (!task.kernel.empty()) {
    Result<std::string> text = journal.source(task.kernel);
    if (!text) return text.error();
    if (text->size() > lab.source_limit) {
      LabResult refused = without_a_run(lab, Verdict::refused, fmt::format("the kernel is {} bytes long; the rubric allows {}", grader::grouped(text->size()), grader::grouped(lab.source_limit)));
      refused.submission = grader::Submission{task.lab + ".cu", std::move(*text), task.kernel};
      return refused;
    }
    job.submission = grader::Submission{task.lab + ".cu", std::move(*text), task.kernel};
  }
  std::optional<std::string> sheet;
  if (!task.sheet.empty()) {
    Result<std::string> text = journal.source(task.sheet);
    if (!text) return text.error();
    sheet = std::move(*text);
  }
  Result<std::optional<quiz::Outcome>> quiz = grader::quiz_outcome(lab, task.lab + ".quiz.json", sheet ? &*sheet : nullptr, engine.measurements);
  if (!quiz) return quiz.error();
  job.quiz = std::move(*quiz);
  const std::vector<GradeJob> jobs = {std::move(job)};
  LabResult result = patiently(engine, [&] { return grader::grade_labs(engine.device, jobs, of_one(engine), stages).front(); });
  if (result.status == Verdict::not_attempted) result.message = "nothing was handed in";
  return result;
}

Status grade_outstanding(Journal& journal, const Engine& engine, grader::SolutionStages& stages) {
  Result<std::vector<Task>> outstanding = journal.outstanding();
  if (!outstanding) return outstanding.error();
  const std::vector<std::vector<Task>> groups = shared(std::move(*outstanding));
  Tally tally{engine, groups};
  std::mutex failing;
  std::optional<Error> failed;
  std::atomic<bool> ended = false;
  const auto end = [&](const Error& error) {
    const std::lock_guard lock{failing};
    if (!failed) failed = error;
    ended = true;
  };
  grader::parallel_for(groups.size(), engine.grading.jobs, [&](std::size_t i) {
    if (ended || engine.stopped()) return;
    const std::vector<Task>& group = groups[i];
    const auto begin = Clock::now();
    Outcome first;
    std::string told = group.front().kernel;  // whose hash stands in its report; empty: it is not known
    const auto known = group.front().sharing.empty() ? Result<std::optional<Outcome>>{std::optional<Outcome>{}} : journal.finished_alike(group.front().sharing);
    if (!known) return end(known.error());
    if (*known) {
      first = **known, first.seconds = 0, told.clear();
    } else {
      const Result<LabResult> graded = grade_task(journal, engine, stages, group.front());
      if (!graded) return end(graded.error());
      if (engine.stopped()) return;
      first = {std::string{name(graded->status)}, has_mark(graded->status) ? static_cast<double>(graded->score) : 0, report_of(*graded, engine.device.kind()), seconds_since(begin)};
    }
    std::vector<Journal::Done> results;
    for (const Task& task : group) {
      Outcome own = first;
      if (task.kernel != told) {
        Result<std::string> report = told_of(first.report, task.kernel);
        if (!report) return end(report.error());
        own.report = std::move(*report);
      }
      if (&task != &group.front()) own.seconds = 0;
      results.push_back({&task, std::move(own)});
    }
    if (Status kept = journal.add(results); !kept) return end(kept.error());
    tally.add(group, first.status);
  });
  if (failed) return *failed;
  return Done{};
}

}  // namespace histolab::batch

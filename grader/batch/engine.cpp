#include "grader/batch/engine.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <mutex>
#include <nlohmann/json.hpp>
#include <span>
#include <thread>

#include "grader/batch/groups.h"
#include "grader/checks/outcome.h"
#include "grader/checks/quiz_check.h"
#include "grader/files/sha256.h"
#include "grader/lab/submission.h"
#include "grader/report/report_json.h"
#include "grader/words/words.h"
#include "reference/parallel.h"
#include "reference/seconds_since.h"

namespace histolab::batch {
namespace {

using grader::GradeJob;
using grader::LabResult;
using grader::LabSpec;
using grader::Verdict;
using Clock = std::chrono::steady_clock;

constexpr int most_tries = 4;

grader::GradeOptions single_job_options(const Engine& engine) {
  grader::GradeOptions options = engine.grading;
  options.jobs = 1;
  options.progress = {};
  return options;
}

// Repeats the grading if the machine fails, with growing pauses.
LabResult with_retries(const Engine& engine, const std::function<LabResult()>& grade) {
  auto pause = engine.patience;
  for (int tried = 1;; ++tried) {
    const std::uint64_t ended = engine.ended_for_memory();
    LabResult result = grade();
    if (result.status != Verdict::passed && has_mark(result.status) &&
        engine.ended_for_memory() != ended) {
      std::optional<grader::Submission> submission = std::move(result.submission);
      result =
          unjudged(lab_called(engine, result.lab), Verdict::infrastructure_error,
                   "memory ran out and Linux ended a process; use a machine, or a cluster task, "
                   "with more memory");
      result.submission = std::move(submission);
    }
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

const LabSpec& lab_called(const Engine& engine, const std::string& name) {
  return *std::find_if(engine.labs.begin(), engine.labs.end(),
                       [&](const LabSpec& lab) { return lab.name == name; });
}

LabResult unjudged(const LabSpec& lab, Verdict status, const std::string& why) {
  LabResult result;
  result.lab = lab.name, result.title = lab.title, result.max_score = lab.max_score;
  result.status = status;
  result.message = why;
  for (const grader::CheckSpec& check : lab.checks)
    result.checks.push_back(
        grader::unjudged(check, {{.what = status == Verdict::refused ? "the kernel was refused"
                                                                     : "it could not be judged"}}));
  return result;
}

std::string report_of(const LabResult& result, const std::string& device_kind) {
  return grader::text_of(grader::json_of(result, device_kind), true);
}

Result<LabResult> grade_solution(const Engine& engine, grader::SolutionStages& stages,
                                 const LabSpec& lab, const grader::Measured* measured) {
  grader::Submission solution = TRY(grader::read_submission(lab.solution_path()));
  std::optional<quiz::Outcome> quiz = TRY(grader::quiz_outcome(lab, "", engine.measurements));
  solution.path = lab.name + ".cu";
  const std::vector<GradeJob> job = {{&lab, std::move(solution), std::move(quiz), measured}};
  return with_retries(engine, [&] {
    return grader::grade_labs(engine.device, job, single_job_options(engine), stages).front();
  });
}

Status check_solution(const LabResult& result) {
  if (result.status == Verdict::passed) return Done{};
  const grader::CheckResult* failing = grader::first_failing(result);
  return Error{fmt::format(
      "the solution of {} does not pass here ({}: {}), so nothing was graded; `histolab doctor` "
      "checks the machine, `histolab check {}` the lab",
      result.lab, name(result.status),
      result.message.empty() && failing != nullptr ? failing->id + ": " + failing->seen.sentence()
                                                   : result.message,
      result.lab)};
}

Result<std::vector<LabResult>> grade_solutions(const Engine& engine,
                                               grader::SolutionStages& stages) {
  std::vector<Result<LabResult>> graded(engine.labs.size(), Error{});
  reference::parallel_for(engine.labs.size(), engine.grading.jobs, [&](std::size_t i) {
    graded[i] = grade_solution(engine, stages, engine.labs[i], nullptr);
  });
  std::vector<LabResult> results;
  for (Result<LabResult>& each : graded) {
    results.push_back(TRY(std::move(each)));
    TRY(check_solution(results.back()));
  }
  return results;
}

Result<LabResult> grade_work(const Engine& engine, grader::SolutionStages& stages,
                             const std::string& lab_name, const Work& work,
                             const grader::Measured* measured) {
  const LabSpec& lab = lab_called(engine, lab_name);
  if (!work.problem.empty() && !work.kernel)
    return unjudged(lab, Verdict::needs_review, work.problem);
  GradeJob job{.lab = &lab, .submission = std::nullopt, .measured = measured};
  if (work.kernel) {
    job.submission =
        grader::Submission{lab.name + ".cu", *work.kernel, grader::sha256(*work.kernel)};
    if (work.kernel->size() > lab.source_limit) {
      LabResult refused = unjudged(
          lab, Verdict::refused,
          fmt::format("the kernel is {} bytes long; the rubric allows {}",
                      grader::grouped(work.kernel->size()), grader::grouped(lab.source_limit)));
      refused.submission = std::move(job.submission);
      return refused;
    }
  }
  job.quiz = TRY(grader::quiz_outcome(lab, lab.name + ".quiz.json",
                                      work.sheet ? &*work.sheet : nullptr, engine.measurements));
  if (job.quiz && !work.problem.empty()) job.quiz->problem = work.problem;
  const std::vector<GradeJob> jobs = {std::move(job)};
  LabResult result = with_retries(engine, [&] {
    return grader::grade_labs(engine.device, jobs, single_job_options(engine), stages).front();
  });
  if (result.was_near_time_limit &&
      (result.status == Verdict::passed || result.status == Verdict::failed)) {
    result.status = Verdict::needs_review;
    result.message =
        "it used more than 80 % of its processor time, so another run may get `timeout`";
  }
  if (!work.problem.empty() && has_mark(result.status))
    result.status = Verdict::needs_review, result.message = work.problem;
  if (result.status == Verdict::not_attempted)
    result.message = work.sheet ? "no kernel was handed in" : "nothing was handed in";
  return result;
}

Outcome outcome_of(const LabResult& result, const std::string& device_kind, double seconds) {
  return {std::string{name(result.status)},
          has_mark(result.status) ? static_cast<double>(result.score) : 0,
          report_of(result, device_kind), seconds};
}

Status grade_outstanding(Journal& journal, const Engine& engine, grader::SolutionStages& stages) {
  std::vector<Task> outstanding = TRY(outstanding_in(journal, engine.shard));
  const std::vector<std::vector<Task>> groups = groups_of(std::move(outstanding));
  Tally tally{groups, engine.progress};
  std::mutex failing;
  std::optional<Error> failed;
  std::atomic<bool> ended = false;
  const auto end = [&](const Error& error) {
    const std::lock_guard lock{failing};
    if (!failed) failed = error;
    ended = true;
  };
  reference::parallel_for(groups.size(), engine.grading.jobs, [&](std::size_t i) {
    if (ended || engine.stopped()) return;
    const Result<std::vector<Journal::Done>> known = results_alike(journal, groups[i]);
    if (!known) return end(known.error());
    if (!known->empty()) {
      if (Status kept = journal.add(*known); !kept) return end(kept.error());
      return tally.add(known->size(), known->front().outcome->status);
    }
    for (std::span<const Task> left{groups[i]}; !left.empty();) {
      if (ended || engine.stopped()) return;
      const auto begin = Clock::now();
      const Task& first = left.front();
      const Result<Work> work = work_of(journal, first);
      if (!work) return end(work.error());
      const Result<LabResult> graded = grade_work(engine, stages, first.lab, *work);
      if (!graded) return end(graded.error());
      if (engine.stopped()) return;
      const Outcome outcome =
          outcome_of(*graded, engine.device.kind(), reference::seconds_since(begin));
      const std::size_t count = tasks_with_result(left, outcome.status);
      if (Status kept = journal.add(results_of(left.first(count), outcome, first.kernel)); !kept)
        return end(kept.error());
      left = left.subspan(count);
      tally.add(count, outcome.status, left.empty());
    }
  });
  if (failed) return *failed;
  return Done{};
}

}  // namespace histolab::batch

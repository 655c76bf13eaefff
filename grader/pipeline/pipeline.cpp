#include "grader/pipeline/pipeline.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <mutex>

#include "grader/checks/checks.h"
#include "grader/checks/outcome.h"
#include "grader/checks/quiz_check.h"
#include "grader/checks/recorded.h"
#include "grader/lab/exported_value.h"
#include "grader/lab/launch_plan.h"
#include "grader/pipeline/case_run.h"
#include "grader/pipeline/explanations.h"
#include "grader/words/words.h"
#include "reference/parallel.h"
#include "reference/utf8.h"

namespace histolab::grader {
namespace {

using kernels::Ending;
using kernels::FindingKind;

constexpr std::size_t no_case = static_cast<std::size_t>(-1);

// The state of one submission in the pipeline.
struct JobInProgress {
  const GradeJob* job = nullptr;
  kernels::Compiled compiled;
  Exports exports;
  std::string launch_problem;  // why it cannot be launched although it compiled
  int launch_problem_line = 0;
  std::optional<Error> machine_error;  // the first failure of the machine
  std::vector<std::size_t> chosen;
  std::vector<std::optional<Result<CaseResult>>> cases;  // one per chosen case
  // Per kernel of the lab: the last case that counts. Later ones are skipped, since this one
  // hit a limit or its threads share no work.
  std::vector<std::atomic<std::size_t>> last_counted;
  // The first wrong case, if the default order makes it right.
  std::optional<std::size_t> depends_on_order;
  // True if the order of blocks matters, not that of threads in a block.
  bool order_of_blocks = false;
  std::vector<TimedCaseResult> timed;
  std::optional<std::uint64_t> local_bytes;  // by the compiler for the GPU
};
using Jobs = std::vector<JobInProgress*>;

bool hit_limit(const CaseResult& result) {
  if (result.ending == Ending::timed_out) return true;
  return result.ending != Ending::completed &&
         std::any_of(result.findings.begin(), result.findings.end(),
                     [](const auto& f) { return f.kind == FindingKind::step_limit; });
}

// Returns true if the result is wrong and every thread reads a large part of the data. Larger cases
// would take threads times elements, and show the same mistake.
bool repeats_all_work(const CaseResult& result) {
  constexpr std::uint64_t least_elements = 16, least_threads = 8;
  const std::uint64_t threads = std::uint64_t{result.grid} * result.block;
  if (!result.completed() || result.correct || result.length < least_elements ||
      threads < least_threads)
    return false;
  return 3 * result.totals.global_load.lanes >= threads * result.length * result.runs.size();
}

std::string why_skipped(const CaseResult& last) {
  if (hit_limit(last))
    return fmt::format("case {} did not end, so later cases were not run", last.id);
  return fmt::format("in case {} {} make {} loads for {}, so later cases were not run", last.id,
                     counted(std::uint64_t{last.grid} * last.block, "thread"),
                     grouped(last.totals.global_load.lanes), length_of(last));
}

// Returns the first line with the first word of `message`, an export's name, or 0.
int line_with(const std::string& text, const std::string& message) {
  const std::size_t at = text.find(message.substr(0, message.find(' ')));
  if (at == std::string::npos) return 0;
  return 1 + static_cast<int>(
                 std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n'));
}

void compile(kernels::Device& device, JobInProgress& state, const GradeOptions& options) {
  const LabSpec& lab = *state.job->lab;
  const Submission& submission = *state.job->submission;
  const std::vector<kernels::KernelSignature> signatures = signatures_of(lab);
  Result<kernels::Compiled> compiled =
      device.compile({submission.path, submission.text}, signatures);
  if (!compiled) {
    state.machine_error = compiled.error();
    return;
  }
  state.compiled = std::move(*compiled);
  state.compiled.budget = std::make_shared<kernels::ProcessorBudget>(lab.submission_limit);
  if (!state.compiled.ok) return;
  state.chosen = chosen_cases(lab, options.quick);
  if (state.job->measured != nullptr) {
    state.local_bytes = state.job->measured->local_bytes;
  } else if (signatures.front().tells_local_memory && options.gpu_compiler && !options.quick) {
    const Result<kernels::Compiled> for_gpu =
        options.gpu_compiler({submission.path, submission.text}, signatures);
    if (!for_gpu) {
      state.machine_error = for_gpu.error();
      return;
    }
    state.local_bytes = for_gpu->local_bytes;
  }
  state.cases.resize(state.chosen.size());
  state.last_counted = std::vector<std::atomic<std::size_t>>(lab.kernels.size());
  for (auto& each : state.last_counted) each = no_case;
  Result<Exports> exports = exports_of(lab, state.compiled);
  if (!exports) {
    state.launch_problem = exports.error().message;
    state.launch_problem_line = line_with(submission.text, state.launch_problem);
    return;
  }
  state.exports = std::move(*exports);
  if (auto hidden = hidden_export(lab, state.compiled, submission.text)) {
    state.launch_problem = std::move(hidden->message);
    state.launch_problem_line = hidden->line;
  }
}

void launch(kernels::Device& device, JobInProgress& state, std::size_t index,
            const GradeOptions& options) {
  const LabSpec& lab = *state.job->lab;
  std::atomic<std::size_t>& last = state.last_counted[lab.cases[state.chosen[index]].kernel];
  // Skipped. Another thread may still lower `last`.
  if (index > last) return;
  CaseResult shape = case_of(lab, lab.cases[state.chosen[index]], state.exports, options.seed);
  const Result<std::vector<Bytes>> inputs = inputs_of(shape);
  state.cases[index] =
      inputs ? run_case(device, lab, state.compiled, std::move(shape), *inputs, options.observers)
             : Result<CaseResult>{inputs.error()};
  Result<CaseResult>& result = *state.cases[index];
  if (result && result->completed() && lab.runs_one_by_one())
    if (std::optional<Error> error =
            run_one_by_one(device, lab, state.compiled, *inputs, options.observers, *result))
      result = *error;
  if (!result || !(hit_limit(*result) || repeats_all_work(*result))) return;
  for (std::size_t known = last; index < known && !last.compare_exchange_weak(known, index);) {
  }
}

bool runs_in_default_order(const CaseResult& result) {
  return result.schedule == kernels::Schedule::lockstep &&
         result.block_order == kernels::BlockOrder::ascending;
}

// If no finding explains wrong counts, launches the first wrong case again in the default order of
// threads and blocks.
void compare_orders(kernels::Device& device, JobInProgress& state, const GradeOptions& options) {
  const auto wrong = std::ranges::find_if(
      state.cases, [](const auto& each) { return each && *each && !(*each)->correct; });
  if (wrong == state.cases.end() || !(**wrong)->completed() || runs_in_default_order(***wrong))
    return;
  const auto is_error = [](const kernels::Finding& finding) {
    return finding.severity == kernels::Severity::error;
  };
  if (std::ranges::any_of((**wrong)->findings, is_error)) return;
  const auto index = static_cast<std::size_t>(wrong - state.cases.begin());
  const LabSpec& lab = *state.job->lab;
  CaseResult shape = case_of(lab, lab.cases[state.chosen[index]], state.exports, options.seed);
  shape.block_order = kernels::BlockOrder::ascending;
  const Result<std::vector<Bytes>> inputs = inputs_of(shape);
  if (!inputs) return;
  const auto is_right_under = [&](kernels::Schedule schedule) {
    shape.schedule = schedule;
    const Result<CaseResult> result =
        run_case(device, lab, state.compiled, shape, *inputs, options.observers);
    return result && result->correct;
  };
  if (!is_right_under(kernels::Schedule::lockstep)) return;
  state.depends_on_order = index;
  state.order_of_blocks = is_right_under(kernels::Schedule::random);
}

bool can_be_timed(const JobInProgress& state) {
  return !state.machine_error && state.compiled.ok && state.launch_problem.empty() &&
         std::all_of(state.last_counted.begin(), state.last_counted.end(),
                     [](const auto& last) { return last == no_case; });
}

const kernels::Diagnostic* first_error(const kernels::Compiled& compiled) {
  for (const kernels::Diagnostic& each : compiled.diagnostics)
    if (each.severity == kernels::Severity::error) return &each;
  return nullptr;
}

// A modelled time is meaningless for a wrong kernel.
bool all_right(const JobInProgress& state) {
  return std::all_of(state.cases.begin(), state.cases.end(),
                     [](const auto& each) { return each && *each && (*each)->is_right(); });
}

void add_check(LabResult& result, CheckResult check) {
  result.score += check.score;
  result.checks.push_back(std::move(check));
}

// Leaves the checks of the kernel without a verdict. The quiz is judged as usual.
void not_run(LabResult& result, const LabSpec& lab, const std::string& why, int line) {
  kernels::MessageParts parts = kernels::parts_of(why);
  const Seen seen{.what = std::move(parts.what), .next = std::move(parts.next)};
  for (const CheckSpec& check : lab.checks)
    add_check(result, check.kind == CheckKind::quiz ? judge_quiz(check, result.quiz)
                                                    : unjudged(check, {seen, line}));
}

// Moves the cases into the report. Cases after `last` are skipped, even if a thread has run them.
bool collect_cases(JobInProgress& state, LabResult& result, std::uint64_t seed) {
  const LabSpec& lab = *state.job->lab;
  for (std::size_t i = 0; i < state.chosen.size(); ++i) {
    const CaseSpec& spec = lab.cases[state.chosen[i]];
    const std::size_t last = state.last_counted[spec.kernel];
    if (i <= last && state.launch_problem.empty()) {
      Result<CaseResult>& ran = *state.cases[i];
      if (!ran) {
        state.machine_error = ran.error();
        return false;
      }
      result.cases.push_back(std::move(*ran));
    } else {
      CaseResult skipped = case_of(lab, spec, state.exports, seed);
      if (state.launch_problem.empty())
        skipped.skipped = why_skipped(
            *std::ranges::find(result.cases, lab.cases[state.chosen[last]].id, &CaseResult::id));
      else
        skipped.skipped = state.launch_problem;
      result.cases.push_back(std::move(skipped));
    }
    merge_findings(result.findings, result.cases.back().findings);
  }
  return true;
}

// Keeps the first most_printed_bytes of the printed text, over all cases. Returns true if it
// removed some.
bool cut_printed(std::vector<CaseResult>& cases) {
  std::size_t left = most_printed_bytes;
  bool cut = false;
  for (CaseResult& each : cases) {
    if (each.printed.size() > left) {
      each.printed.resize(beginning_of(each.printed, left).size());
      cut = true;
    }
    left -= each.printed.size();
  }
  return cut;
}

Verdict verdict_of(const LabResult& result) {
  for (const CaseResult& each : result.cases) {
    if (!each.skipped.empty()) continue;
    if (each.ending == Ending::timed_out) return Verdict::timeout;
    if (each.ending == Ending::crashed) return Verdict::crashed;
  }
  const bool passed = std::all_of(
      result.checks.begin(), result.checks.end(),
      [](const CheckResult& check) { return check.status == CheckResult::Status::passed; });
  return passed ? Verdict::passed : Verdict::failed;
}

// Returns why this kit cannot judge the check, or an empty string if it can.
std::string why_left_out(const LabSpec& lab, const CheckSpec& check,
                         const std::optional<quiz::Outcome>& quiz, const GradeOptions& options) {
  if (check.kind == CheckKind::quiz && quiz && !quiz->has_key)
    return "the student edition has no answers; your instructor's kit judges yours";
  if (check.timed.empty() || options.gpu != nullptr || !options.profile) return {};
  const Result<std::string> why = why_not_timed(lab, check, options.seed, options.profile->name);
  return why ? *why : why.error().message;
}

// Removes the checks that this kit cannot judge from the lab, and notes them in the result.
LabSpec without_unjudgeable(const LabSpec& lab, const GradeOptions& options, LabResult& result) {
  LabSpec rest = lab;
  std::erase_if(rest.checks, [&](const CheckSpec& check) {
    std::string why = why_left_out(lab, check, result.quiz, options);
    if (why.empty()) return false;
    result.max_score -= check.points;
    result.left_out.push_back({check.id, check.points, std::move(why)});
    return true;
  });
  return rest;
}

LabResult judge(JobInProgress& state, const GradeOptions& options) {
  const LabSpec& whole = *state.job->lab;
  LabResult result;
  result.lab = whole.name;
  result.title = whole.title;
  result.max_score = whole.max_score;
  result.submission = state.job->submission;
  result.quiz = state.job->quiz;
  const LabSpec lab = without_unjudgeable(whole, options, result);
  if (!result.submission) {
    result.message =
        fmt::format("there is no {}.cu; `histolab start {}` makes one", lab.name, lab.name);
    not_run(result, lab, "there is no submission", 0);
    return result;
  }
  result.diagnostics = state.compiled.diagnostics;
  result.local_memory = {state.compiled.indexed_arrays, state.local_bytes};
  if (!state.machine_error && !state.compiled.ok) {
    result.status = state.compiled.refused ? Verdict::refused : Verdict::compile_error;
    const kernels::Diagnostic* error = first_error(state.compiled);
    result.message = error == nullptr ? "the kernel does not compile" : error->message;
    const int line = error == nullptr ? 0 : error->line;
    not_run(result, lab,
            state.compiled.refused ? "the kernel was refused" : "the kernel does not compile",
            line);
    return result;
  }
  if (state.machine_error || !collect_cases(state, result, options.seed)) {
    result.status = Verdict::infrastructure_error;
    result.message = state.machine_error->message;
    result.cases.clear();
    result.findings.clear();
    not_run(result, lab, "this machine could not run the kernel", 0);
    return result;
  }
  if (!state.launch_problem.empty()) {
    result.status = Verdict::failed;
    result.message = state.launch_problem;
    not_run(result, lab, state.launch_problem, state.launch_problem_line);
    return result;
  }
  if (cut_printed(result.cases))
    result.message = fmt::format("the kernel printed more than {} KiB; the rest is omitted",
                                 most_printed_bytes / 1024);
  result.timed = std::move(state.timed);
  for (const CheckSpec& check : lab.checks) {
    // A quick mark has no points for times.
    if (options.quick && !check.timed.empty()) {
      result.max_score -= check.points;
      continue;
    }
    CheckResult judged =
        check.kind == CheckKind::quiz
            ? judge_quiz(check, result.quiz)
            : judge_check(lab, check, result.cases, result.timed, result.local_memory);
    explain_by_source(lab, result, judged);
    explain_absent_export(lab, check, state.compiled, result, judged);
    if (state.depends_on_order) {
      const std::size_t wrong = *state.depends_on_order;
      if (check.kind == CheckKind::no_findings &&
          std::ranges::count(check.cases, state.chosen[wrong]) > 0)
        report_order(result.cases[wrong], state.order_of_blocks, judged);
      else if (check.kind == CheckKind::matches_reference)
        explain_order(result.cases[wrong], state.order_of_blocks, judged);
    }
    explain_kept_variables(result, judged);
    keep_one_advice(judged);
    add_check(result, std::move(judged));
  }
  result.status = verdict_of(result);
  result.was_near_time_limit =
      state.compiled.budget != nullptr && state.compiled.budget->was_near_a_limit();
  return result;
}

void compile_all(kernels::Device& device, const Jobs& attempted, const GradeOptions& options) {
  reference::parallel_for(attempted.size(), options.jobs,
                          [&](std::size_t i) { compile(device, *attempted[i], options); });
}

// Small cases run first: if one fails, the large ones may be skipped.
void run_cases(kernels::Device& device, const Jobs& attempted, const GradeOptions& options) {
  constexpr std::uint64_t most_of_small = 64;  // in elements
  struct Step {
    JobInProgress* state;
    std::size_t index;
  };
  std::vector<Step> small, large;
  for (JobInProgress* state : attempted)
    for (std::size_t i = 0; i < state->cases.size() && state->launch_problem.empty(); ++i)
      (state->job->lab->cases[state->chosen[i]].length <= most_of_small ? small : large)
          .push_back({state, i});
  std::mutex counting;
  std::size_t done = 0;
  for (const std::vector<Step>* each : {&small, &large}) {
    const std::vector<Step>& steps = *each;
    reference::parallel_for(steps.size(), options.jobs, [&](std::size_t i) {
      launch(device, *steps[i].state, steps[i].index, options);
      if (!options.progress) return;
      const std::lock_guard lock{counting};
      options.progress(++done, small.size() + large.size());
    });
  }
}

void compare_all_orders(kernels::Device& device, const Jobs& attempted,
                        const GradeOptions& options) {
  reference::parallel_for(attempted.size(), options.jobs,
                          [&](std::size_t i) { compare_orders(device, *attempted[i], options); });
}

void keep_times(Result<std::vector<TimedCaseResult>> timed, JobInProgress& state) {
  if (timed)
    state.timed = std::move(*timed);
  else
    state.machine_error = timed.error();
}

// Times come from the model, from this machine's GPU or from another machine's.
void take_times(SolutionStages& stages, const Jobs& attempted, const GradeOptions& options) {
  if (stages.modelled && !options.quick)
    reference::parallel_for(attempted.size(), options.jobs, [&](std::size_t i) {
      JobInProgress& state = *attempted[i];
      if (state.job->measured != nullptr || !can_be_timed(state) || !all_right(state)) return;
      keep_times(stages.modelled->run(*state.job->lab, state.compiled, state.exports), state);
    });
  if (stages.timed && !options.quick)
    for (JobInProgress* state : attempted)
      if (can_be_timed(*state))
        keep_times(stages.timed->run(*state->job->lab, *state->job->submission, state->exports),
                   *state);
  for (JobInProgress* state : attempted)
    if (state->job->measured != nullptr && can_be_timed(*state))
      state->timed = timed_by(*state->job->measured, *state->job->lab, state->exports);
}

std::vector<LabResult> judge_all(std::vector<JobInProgress>& states, const GradeOptions& options) {
  std::vector<LabResult> results;
  for (JobInProgress& state : states) results.push_back(judge(state, options));
  return results;
}

void explain_gaps(GapStage& gaps, const std::vector<JobInProgress>& states, unsigned jobs,
                  std::vector<LabResult>& results) {
  reference::parallel_for(states.size(), jobs, [&](std::size_t i) {
    if (results[i].status == Verdict::failed)
      gaps.explain(*states[i].job->lab, states[i].compiled, states[i].exports, results[i]);
  });
}

// Returns the number of multiprocessors of the device that takes the times, or for which they are
// modelled.
std::uint32_t multiprocessors_of(const GradeOptions& options) {
  if (options.gpu != nullptr) return options.gpu->multiprocessors();
  return options.multiprocessors > 0 ? options.multiprocessors
         : options.profile           ? options.profile->multiprocessors
                                     : 1;
}

}  // namespace

std::vector<std::size_t> chosen_cases(const LabSpec& lab, bool quick) {
  std::vector<std::size_t> chosen;
  for (std::size_t i = 0; i < lab.cases.size(); ++i)
    if (!quick || lab.cases[i].quick) chosen.push_back(i);
  if (!quick) return chosen;
  for (const CheckSpec& check : lab.checks) {
    const bool judged = std::any_of(check.cases.begin(), check.cases.end(), [&](std::size_t i) {
      return std::find(chosen.begin(), chosen.end(), i) != chosen.end();
    });
    // A check of time has no cases.
    if (judged || check.cases.empty()) continue;
    chosen.push_back(*std::min_element(
        check.cases.begin(), check.cases.end(),
        [&](std::size_t a, std::size_t b) { return lab.cases[a].length < lab.cases[b].length; }));
  }
  std::sort(chosen.begin(), chosen.end());
  return chosen;
}

SolutionStages::SolutionStages(kernels::Device& device, const GradeOptions& options)
    : gaps(device, options.seed, multiprocessors_of(options)) {
  if (options.gpu != nullptr)
    timed.emplace(*options.gpu, options.seed);
  else if (options.profile)
    modelled.emplace(device, *options.profile, options.seed);
}

std::vector<LabResult> grade_labs(kernels::Device& device, const std::vector<GradeJob>& jobs,
                                  const GradeOptions& options) {
  SolutionStages stages{device, options};
  return grade_labs(device, jobs, options, stages);
}

std::vector<LabResult> grade_labs(kernels::Device& device, const std::vector<GradeJob>& jobs,
                                  const GradeOptions& options, SolutionStages& stages) {
  std::vector<JobInProgress> states(jobs.size());
  Jobs attempted;
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    states[i].job = &jobs[i];
    if (jobs[i].submission) attempted.push_back(&states[i]);
  }
  compile_all(device, attempted, options);
  run_cases(device, attempted, options);
  compare_all_orders(device, attempted, options);
  take_times(stages, attempted, options);
  std::vector<LabResult> results = judge_all(states, options);
  if (options.compares) explain_gaps(stages.gaps, states, options.jobs, results);
  return results;
}

Report grade(kernels::Device& device, const std::vector<GradeJob>& jobs,
             const GradeOptions& options) {
  Report report;
  report.version = HISTOLAB_VERSION;
  report.seed = options.seed;
  report.quick = options.quick;
  report.device_kind = device.kind();
  report.device_name = device.name();
  report.sandbox = device.sandbox();
  if (options.gpu != nullptr) {
    report.gpu_name = options.gpu->name();
    report.gpu_driver = options.gpu->driver();
  }
  report.gpu_compiler = options.gpu_compiler != nullptr;
  report.labs = grade_labs(device, jobs, options);
  return report;
}

}  // namespace histolab::grader

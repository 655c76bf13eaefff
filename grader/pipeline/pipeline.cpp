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
#include "grader/pipeline/parallel.h"
#include "grader/words/words.h"
#include "reference/utf8.h"

namespace histolab::grader {
namespace {

using kernels::Ending;
using kernels::FindingKind;

constexpr std::size_t no_case = static_cast<std::size_t>(-1);

// One submission on its way through the pipeline.
struct JobInProgress {
  const GradeJob* job = nullptr;
  kernels::Compiled compiled;
  Exports exports;
  std::string no_launch;  // why nothing can be launched although it compiled
  int no_launch_line = 0;
  std::optional<Error> machine;  // the first failure of the machine
  std::vector<std::size_t> chosen;
  std::vector<std::optional<Result<CaseResult>>> cases;  // one per chosen case
  std::vector<std::atomic<std::size_t>>
      last;  // of each of the lab's kernels: its cases after this one are skipped
  std::optional<std::size_t>
      depends_on_order;          // the first wrong case, if the default order makes it right
  bool order_of_blocks = false;  // the order of blocks decides, not that of threads in a block
  std::vector<TimedCaseResult> timed;
  std::optional<std::uint64_t> local_bytes;  // by the compiler for the GPU
};

bool spends_the_limit(const CaseResult& result) {
  if (result.ending == Ending::timed_out) return true;
  return result.ending != Ending::completed &&
         std::any_of(result.findings.begin(), result.findings.end(),
                     [](const auto& f) { return f.kind == FindingKind::step_limit; });
}

// Does every thread walk over a good part of the data, and is the result wrong anyway? Then larger
// cases cost threads times elements, and show the same mistake.
bool shares_no_work(const CaseResult& result) {
  constexpr std::uint64_t least_elements = 16, least_threads = 8;
  const std::uint64_t threads = std::uint64_t{result.grid} * result.block;
  if (!result.completed() || result.correct || result.length < least_elements ||
      threads < least_threads)
    return false;
  return 3 * result.totals.global_load.lanes >= threads * result.length * result.runs.size();
}

std::string why_skipped(const CaseResult& last) {
  if (spends_the_limit(last))
    return fmt::format("case {} did not end, so the cases after it were not run", last.id);
  return fmt::format("in case {} {} make {} loads for {}, so the cases after it were not run",
                     last.id, counted(std::uint64_t{last.grid} * last.block, "thread"),
                     grouped(last.totals.global_load.lanes), length_of(last));
}

// The first line that has the first word of `message` in it (an export's name); 0 when there is
// none.
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
    state.machine = compiled.error();
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
      state.machine = for_gpu.error();
      return;
    }
    state.local_bytes = for_gpu->local_bytes;
  }
  state.cases.resize(state.chosen.size());
  state.last = std::vector<std::atomic<std::size_t>>(lab.kernels.size());
  for (auto& each : state.last) each = no_case;
  Result<Exports> exports = exports_of(lab, state.compiled);
  if (!exports) {
    state.no_launch = exports.error().message;
    state.no_launch_line = line_with(submission.text, state.no_launch);
    return;
  }
  state.exports = std::move(*exports);
  if (auto hidden = hidden_export(lab, state.compiled, submission.text)) {
    state.no_launch = std::move(hidden->message);
    state.no_launch_line = hidden->line;
  }
}

void launch(kernels::Device& device, JobInProgress& state, std::size_t index,
            const GradeOptions& options) {
  const LabSpec& lab = *state.job->lab;
  std::atomic<std::size_t>& last = state.last[lab.cases[state.chosen[index]].kernel];
  if (index > last) return;  // skipped; which cases are is settled only when all are done
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
  if (!result || !(spends_the_limit(*result) || shares_no_work(*result))) return;
  for (std::size_t known = last; index < known && !last.compare_exchange_weak(known, index);) {
  }
}

bool runs_in_default_order(const CaseResult& result) {
  return result.schedule == kernels::Schedule::lockstep &&
         result.block_order == kernels::BlockOrder::ascending;
}

// Launches the first wrong case once more, in the default order of threads and blocks, if no
// finding explains its counts.
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

bool may_be_timed(const JobInProgress& state) {
  return !state.machine && state.compiled.ok && state.no_launch.empty() &&
         std::all_of(state.last.begin(), state.last.end(),
                     [](const auto& last) { return last == no_case; });
}

const kernels::Diagnostic* first_error(const kernels::Compiled& compiled) {
  for (const kernels::Diagnostic& each : compiled.diagnostics)
    if (each.severity == kernels::Severity::error) return &each;
  return nullptr;
}

// Of a wrong kernel the model's time would say nothing.
bool all_right(const JobInProgress& state) {
  return std::all_of(state.cases.begin(), state.cases.end(),
                     [](const auto& each) { return each && *each && (*each)->is_right(); });
}

void add_check(LabResult& result, CheckResult check) {
  result.score += check.score;
  result.checks.push_back(std::move(check));
}

// What is asked of the kernel; the quiz is judged by itself.
void not_run(LabResult& result, const LabSpec& lab, const std::string& why, int line) {
  kernels::MessageParts parts = kernels::parts_of(why);
  const Seen seen{.what = std::move(parts.what), .next = std::move(parts.next)};
  for (const CheckSpec& check : lab.checks)
    add_check(result, check.kind == CheckKind::quiz ? judge_quiz(check, result.quiz)
                                                    : unjudged(check, {seen, line}));
}

// The cases as the report has them: those after the last one that counts are skipped, even if a
// thread ran them.
bool collect_cases(JobInProgress& state, LabResult& result, std::uint64_t seed) {
  const LabSpec& lab = *state.job->lab;
  for (std::size_t i = 0; i < state.chosen.size(); ++i) {
    const CaseSpec& spec = lab.cases[state.chosen[i]];
    const std::size_t last = state.last[spec.kernel];
    if (i <= last && state.no_launch.empty()) {
      Result<CaseResult>& ran = *state.cases[i];
      if (!ran) {
        state.machine = ran.error();
        return false;
      }
      result.cases.push_back(std::move(*ran));
    } else {
      CaseResult skipped = case_of(lab, spec, state.exports, seed);
      if (state.no_launch.empty())
        skipped.skipped = why_skipped(
            *std::ranges::find(result.cases, lab.cases[state.chosen[last]].id, &CaseResult::id));
      else
        skipped.skipped = state.no_launch;
      result.cases.push_back(std::move(skipped));
    }
    merge_findings(result.findings, result.cases.back().findings);
  }
  return true;
}

// Keeps the first most_printed_bytes that the kernel printed, whatever the case. True: something is
// left out.
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

// Why this kit cannot judge the check; empty: it can.
std::string why_left_out(const LabSpec& lab, const CheckSpec& check,
                         const std::optional<quiz::Outcome>& quiz, const GradeOptions& options) {
  if (check.kind == CheckKind::quiz && quiz && !quiz->has_key)
    return "the student edition has no answers; your instructor's kit judges yours";
  if (check.timed.empty() || options.gpu != nullptr || !options.profile) return {};
  const Result<std::string> why = why_not_timed(lab, check, options.seed, options.profile->name);
  return why ? *why : why.error().message;
}

// Takes the checks that this kit cannot judge out of the lab and the result.
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
  if (!state.machine && !state.compiled.ok) {
    result.status = state.compiled.refused ? Verdict::refused : Verdict::compile_error;
    const kernels::Diagnostic* error = first_error(state.compiled);
    result.message = error == nullptr ? "the kernel does not compile" : error->message;
    const int line = error == nullptr ? 0 : error->line;
    not_run(result, lab,
            state.compiled.refused ? "the kernel was refused" : "the kernel does not compile",
            line);
    return result;
  }
  if (state.machine || !collect_cases(state, result, options.seed)) {
    result.status = Verdict::infrastructure_error;
    result.message = state.machine->message;
    result.cases.clear(), result.findings.clear();
    not_run(result, lab, "this machine could not run the kernel", 0);
    return result;
  }
  if (!state.no_launch.empty()) {
    result.status = Verdict::failed;
    result.message = state.no_launch;
    not_run(result, lab, state.no_launch, state.no_launch_line);
    return result;
  }
  if (cut_printed(result.cases))
    result.message = fmt::format("the kernel printed more than {} KiB; the rest is left out",
                                 most_printed_bytes / 1024);
  result.timed = std::move(state.timed);
  for (const CheckSpec& check : lab.checks) {
    if (options.quick && !check.timed.empty()) {  // what a mark without times is out of
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

// Of what times are taken on, or modelled for.
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
    if (judged || check.cases.empty()) continue;  // a check of times is judged on none
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
  for (std::size_t i = 0; i < jobs.size(); ++i) states[i].job = &jobs[i];
  std::vector<JobInProgress*> attempted;
  for (JobInProgress& state : states)
    if (state.job->submission) attempted.push_back(&state);
  parallel_for(attempted.size(), options.jobs,
               [&](std::size_t i) { compile(device, *attempted[i], options); });

  // Small cases come first: one that fails may save the time of the large ones.
  constexpr std::uint64_t most_of_small = 64;  // elements
  struct Step {
    JobInProgress* state;
    std::size_t index;
  };
  std::vector<Step> small, large;
  for (JobInProgress* state : attempted)
    for (std::size_t i = 0; i < state->cases.size() && state->no_launch.empty(); ++i)
      (state->job->lab->cases[state->chosen[i]].length <= most_of_small ? small : large)
          .push_back({state, i});
  std::mutex counting;
  std::size_t done = 0;
  for (const std::vector<Step>* each : {&small, &large}) {
    const std::vector<Step>& steps = *each;
    parallel_for(steps.size(), options.jobs, [&](std::size_t i) {
      launch(device, *steps[i].state, steps[i].index, options);
      if (!options.progress) return;
      const std::lock_guard lock{counting};
      options.progress(++done, small.size() + large.size());
    });
  }

  parallel_for(attempted.size(), options.jobs,
               [&](std::size_t i) { compare_orders(device, *attempted[i], options); });

  if (stages.modelled && !options.quick) {
    parallel_for(attempted.size(), options.jobs, [&](std::size_t i) {
      JobInProgress& state = *attempted[i];
      if (state.job->measured != nullptr || !may_be_timed(state) || !all_right(state)) return;
      Result<std::vector<TimedCaseResult>> timed =
          stages.modelled->run(*state.job->lab, state.compiled, state.exports);
      if (timed)
        state.timed = std::move(*timed);
      else
        state.machine = timed.error();
    });
  }
  if (stages.timed && !options.quick) {
    for (JobInProgress* state : attempted) {
      if (!may_be_timed(*state)) continue;
      Result<std::vector<TimedCaseResult>> timed =
          stages.timed->run(*state->job->lab, *state->job->submission, state->exports);
      if (timed)
        state->timed = std::move(*timed);
      else
        state->machine = timed.error();
    }
  }

  for (JobInProgress* state : attempted)
    if (state->job->measured != nullptr && may_be_timed(*state))
      state->timed = timed_by(*state->job->measured, *state->job->lab, state->exports);

  std::vector<LabResult> results;
  for (JobInProgress& state : states) results.push_back(judge(state, options));
  parallel_for(states.size(), options.jobs, [&](std::size_t i) {
    if (options.compares && results[i].status == Verdict::failed)
      stages.gaps.explain(*states[i].job->lab, states[i].compiled, states[i].exports, results[i]);
  });
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
  if (options.gpu != nullptr)
    report.gpu_name = options.gpu->name(), report.gpu_driver = options.gpu->driver();
  report.gpu_compiler = options.gpu_compiler != nullptr;
  report.labs = grade_labs(device, jobs, options);
  return report;
}

}  // namespace histolab::grader

// Report: the results of grading as plain values, from one launch up to the whole course.
//
//   CaseResult -> CheckResult -> LabResult -> Report
//
// No value depends on the time of day, the machine's speed or the number of jobs: the same
// submissions, seed and version give the same Report. text.h and report_json.h render it; the
// schemas are docs/report.schema.json and docs/run.schema.json.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "datasets/datasets.h"
#include "grader/lab/launch_plan.h"
#include "grader/lab/submission.h"
#include "grader/quiz/outcome.h"
#include "grader/words/seen.h"
#include "kernels/device.h"
#include "kernels/finding.h"
#include "reference/counters.h"
#include "reference/time_model.h"

namespace histolab::grader {

// The outcome of a student's kernel. The last two mean that the outcome is unknown, which never
// costs points. needs_review: a person has to decide, because the machine failed repeatedly or the
// file could not be read.
enum class Verdict {
  passed,
  failed,
  compile_error,
  timeout,
  crashed,
  refused,
  not_attempted,
  infrastructure_error,
  needs_review
};
[[nodiscard]] std::string_view name(Verdict verdict);
[[nodiscard]] inline bool has_mark(Verdict verdict) {
  return verdict != Verdict::infrastructure_error && verdict != Verdict::needs_review;
}

struct Mismatch {
  std::uint32_t launch = 1;  // of the case, from 1
  std::uint32_t bin = 0;
  // Whole numbers, except that a wrong kernel may leave any value in an output of floats.
  double expected = 0, got = 0;
};

// One launch of a case. A check of counters judges each launch separately.
struct LaunchResult {
  reference::Values histogram;  // the kernel's output, one value per bin
  // Number of elements that fall in a bin. For other tasks, the sum of the expected values.
  std::uint64_t updates_expected = 0;
  std::vector<reference::CounterValue> counters;  // reference::values and the grader's own
  // Number of input bytes that no thread read, and the offset of the first one.
  std::uint64_t unread = 0, first_unread = 0;
  // `__device__` variables that an earlier launch had changed when this one began.
  std::vector<std::string> kept_variables = {};
};

// The model's estimate for a launch; never a measurement.
struct ModelledTime {
  std::string profile, device;  // "h200", "NVIDIA H200"
  reference::TimeEstimate estimate;
};

// The launches of a case, repeated with one thread after the other, so that no update is
// interrupted.
struct OneByOne {
  bool completed = false;
  std::vector<Mismatch> mismatches;
};

struct CaseResult : LaunchShape {
  std::string id, dataset;     // the id is empty in `run`
  std::string kernel_name;     // empty if the lab has only one
  std::uint32_t launches = 1;  // requested; `runs` may be fewer
  kernels::Schedule schedule = kernels::Schedule::lockstep;
  kernels::BlockOrder block_order = kernels::BlockOrder::ascending;
  std::uint64_t seed = 0;  // for the first launch's data, as in `histolab run --seed`

  std::string skipped;  // reason for not running the case; else empty
  kernels::Ending ending = kernels::Ending::completed;
  std::string ending_detail;
  bool correct = false;  // every launch completed and every bin is right
  std::vector<LaunchResult> runs;
  std::vector<Mismatch> mismatches;
  // Number of further mismatches: a report keeps only the first ones.
  std::uint64_t mismatches_left_out = 0;
  std::vector<reference::CounterValue> counters;  // sums over all launches
  reference::Counters totals;                     // source of `counters`
  // From the last launch.
  std::vector<reference::LineCounters> lines;
  std::vector<reference::AtomicPressure> pressure;
  std::vector<kernels::Finding> findings;  // of all launches, merged
  std::optional<OneByOne> one_by_one;      // if a check of the lab needs it; not in reports
  // The first accesses of the first launch, if an Onlooker requested them.
  std::vector<kernels::RecordedAccess> accesses;
  std::optional<kernels::Timing> timing;
  std::optional<ModelledTime> modelled;
  std::string modelled_reason;  // reason for no modelled time; may be empty if not requested
  std::string printed;
  double host_elapsed_s = 0;  // never in a grade report

  [[nodiscard]] bool completed() const {
    return skipped.empty() && ending == kernels::Ending::completed;
  }
  // False if some input was not read: then even a correct output was not counted from the data.
  [[nodiscard]] bool reads_all() const {
    return std::ranges::all_of(runs, [](const LaunchResult& run) { return run.unread == 0; });
  }
  [[nodiscard]] bool is_right() const { return correct && reads_all(); }
};

// A case with times, measured on a GPU or modelled.
struct TimedCaseResult : LaunchShape {
  struct Rival {
    std::string lab;  // the rival is this lab's solution
    kernels::Timing timing;
    bool right = true;  // its results were correct in turns with the judged kernel
    // The shorter of its times alone and in turns, so that the judged kernel cannot slow it down. A
    // modelled rival has no `alone_ms`.
    [[nodiscard]] double ms() const;
  };
  std::string id, dataset, kernel_name;
  std::string device;  // "NVIDIA H200"; for a modelled time the profile's name
  // False: modelled from launches with fewer elements, which `rounds`, `ending` and `findings`
  // describe.
  bool measured = true;
  std::string skipped;  // reason for no time; else empty
  kernels::Ending ending = kernels::Ending::completed;
  std::string ending_detail;
  std::uint32_t rounds = 0, right_rounds = 0;
  std::vector<Mismatch> mismatches;        // of the first wrong round, whose number is `launch`
  std::vector<kernels::Finding> findings;  // from the GPU; for a modelled time from the emulator
  std::optional<kernels::Timing> timing;   // for a modelled time only the median
  std::string bound_by;                    // for a modelled time: docs/model.md
  // Elements of the longest launch used for a modelled time; 0 if the report lacks it.
  std::uint64_t longest_launch = 0;
  std::vector<Rival> rivals;

  [[nodiscard]] bool completed() const {
    return skipped.empty() && ending == kernels::Ending::completed;
  }
  [[nodiscard]] bool correct() const { return completed() && right_rounds == rounds; }
};

// The variables of a kernel that are in local memory (device memory) instead of registers.
struct LocalMemory {
  std::vector<kernels::IndexedArray> indexed;  // from the emulator's analysis of the source
  std::optional<std::uint64_t> bytes;          // per thread, from the GPU compiler if there is one
};

// The explanation of a check, without its points. A check that passed has only `seen`.
struct Judgement {
  Seen seen;     // may be empty if the check passed
  int line = 0;  // in the student's file; 0 if no line is responsible
  std::optional<kernels::Finding> cause = std::nullopt;  // found in the same case
  bool tells_cause = false;  // `seen` describes the cause, not its consequence
  std::string about = {};    // id of the case with the wrong counter or time
  std::size_t launch = 0;    // launch of that case, from 1; 0 means all
};

struct CheckResult : Judgement {
  enum class Status { passed, failed, not_run };
  std::string id, title;
  Status status = Status::not_run;
  int score = 0, max_score = 0;
  std::string hint = {};   // advice of the lab; empty unless failed
  bool hint_fits = false;  // the hint is for this observation: its finding, or its wrong counts
  bool of_quiz = false;    // a check of the quiz, not of the kernel
};
[[nodiscard]] std::string_view name(CheckResult::Status status);

// A check that this kit cannot judge: a student edition has neither solutions nor answers. Its
// points do not count.
struct LeftOut {
  std::string check;
  int points = 0;
  std::string why;
};

struct LabResult {
  std::string lab, title;
  Verdict status = Verdict::not_attempted;
  int score = 0, max_score = 0;  // without has_mark(status) the score is invalid and not shown
  std::string message;           // for the verdict: the first compiler error, the machine's problem
  std::optional<Submission> submission;
  std::vector<kernels::Diagnostic> diagnostics;
  LocalMemory local_memory;  // if a check needs it
  // It almost used up its processor time; another run may exceed the limit. Not in reports.
  bool was_near_time_limit = false;
  std::vector<CheckResult> checks;         // in the order of lab.json
  std::vector<CaseResult> cases;           // in the order of lab.json; only selected ones
  std::vector<TimedCaseResult> timed;      // in the order of lab.json; only kernels that compiled
  std::vector<kernels::Finding> findings;  // of all cases, merged
  std::vector<LeftOut> left_out;           // not in `checks`, nor in `max_score`
  std::optional<quiz::Outcome> quiz;       // if the lab checks its quiz, or if it was answered
};

struct Report {
  std::string version;
  std::uint64_t seed = 1;
  bool quick = false;
  std::string device_kind, device_name, sandbox;
  std::string gpu_name, gpu_driver;  // the GPU that measured the times; empty without a GPU
  bool gpu_compiler = false;         // a GPU compiler was available, for checks about local memory
  std::uint32_t data_version = datasets::data_version;
  std::vector<LabResult> labs;

  [[nodiscard]] int score() const;
  [[nodiscard]] int max_score() const;
  [[nodiscard]] bool all_passed() const;
  [[nodiscard]] bool machine_failed() const;  // a lab has no mark
};

// One launch of `run`.
struct RunReport {
  std::string version, device_kind, device_name, sandbox;
  std::string lab, kernel_path;
  std::uint64_t seed = 1;
  bool compiled = false;
  bool refused = false;
  std::vector<kernels::Diagnostic> diagnostics;
  CaseResult result;  // one launch; only its plan if the kernel does not compile
};

// One finding per cause (kernels/finding.h, same_cause), with the counts added. Keeps the causal
// order of both; notes last.
void merge_findings(std::vector<kernels::Finding>& into, const std::vector<kernels::Finding>& more);

// Returns the first failed check of the kernel, else the first one that could not be judged, else
// the same of the quiz. Returns nullptr if all passed.
[[nodiscard]] const CheckResult* first_failing(const LabResult& lab);

}  // namespace histolab::grader

// Report: what grading found out, as plain values, from one launch up to the whole course.
//
//   CaseResult -> CheckResult -> LabResult -> Report
//
// Nothing in here depends on the time of day, the machine's speed or the number of jobs: the same
// submissions, seed and version give the same Report. Rendered by text.h and report_json.h; the
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

// What the student did, or (the last two) what keeps it from being known: that never costs a mark.
// needs_review is what a batch leaves to a person: the machine failed again and again, or the file
// could not be read.
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
  double expected = 0,
         got = 0;  // whole numbers, but for what a wrong kernel may leave in an output of floats
};

// One launch of a case. A check of counters judges each launch by itself.
struct LaunchResult {
  reference::Values histogram;  // what the kernel left, one value a bin
  std::uint64_t updates_expected =
      0;  // elements that fall in a bin; of another task the sum of what is expected
  std::vector<reference::CounterValue> counters;  // reference::values and the grader's own
  std::uint64_t unread = 0,
                first_unread = 0;  // bytes of the data that no thread read, and the first's place
  std::vector<std::string> kept_variables =
      {};  // `__device__` variables that began it with what an earlier launch left
};

// What the model says of a launch; never a measurement.
struct ModelledTime {
  std::string profile, device;  // "h200", "NVIDIA H200"
  reference::TimeEstimate estimate;
};

// A case's launches once more, one thread after the other: no thread sees another's half-done
// update.
struct OneByOne {
  bool completed = false;
  std::vector<Mismatch> mismatches;
};

struct CaseResult : LaunchShape {
  std::string id, dataset;     // the id is empty in `run`
  std::string kernel_name;     // empty where the lab has only one
  std::uint32_t launches = 1;  // asked for; `runs` may be fewer
  kernels::Schedule schedule = kernels::Schedule::lockstep;
  kernels::BlockOrder block_order = kernels::BlockOrder::ascending;
  std::uint64_t seed = 0;  // of the first launch's data; `histolab run --seed` makes the same

  std::string skipped;  // why the case was not run; empty when it was
  kernels::Ending ending = kernels::Ending::completed;
  std::string ending_detail;
  bool correct = false;  // every launch completed and every bin is right
  std::vector<LaunchResult> runs;
  std::vector<Mismatch> mismatches;
  std::uint64_t mismatches_left_out =
      0;  // so many more there were: of a case read from a report, which keeps the first ones
  std::vector<reference::CounterValue> counters;  // of all launches together
  reference::Counters totals;                     // what they are formed from
  // Of the last launch.
  std::vector<reference::LineCounters> lines;
  std::vector<reference::AtomicPressure> pressure;
  std::vector<kernels::Finding> findings;  // of all launches, merged
  std::optional<OneByOne> one_by_one;      // if a check of the lab asks for it; not in reports
  std::vector<kernels::RecordedAccess>
      accesses;  // the first ones of the first launch, where an Onlooker asked for them
  std::optional<kernels::Timing> timing;
  std::optional<ModelledTime> modelled;
  std::string modelled_reason;  // why it is not there; may be empty where nobody asked for it
  std::string printed;
  double host_elapsed_s = 0;  // never part of a grade report

  [[nodiscard]] bool completed() const {
    return skipped.empty() && ending == kernels::Ending::completed;
  }
  // Right counts of data that were not read were not counted.
  [[nodiscard]] bool reads_all() const {
    return std::ranges::all_of(runs, [](const LaunchResult& run) { return run.unread == 0; });
  }
  [[nodiscard]] bool is_right() const { return correct && reads_all(); }
};

// A case that was timed: on a GPU, or by the model.
struct TimedCaseResult : LaunchShape {
  struct Rival {
    std::string lab;  // whose solution it is
    kernels::Timing timing;
    bool right = true;  // its results beside the judged kernel were
    // The better of its times alone and in turns: what the judged kernel does to it is no help. A
    // modelled one has no `alone_ms`.
    [[nodiscard]] double ms() const;
  };
  std::string id, dataset, kernel_name;
  std::string device;  // "NVIDIA H200"; of a modelled time the profile's name
  // Else modelled, from launches with fewer elements: theirs are rounds, ending and findings.
  bool measured = true;
  std::string skipped;  // why it was not timed; empty when it was
  kernels::Ending ending = kernels::Ending::completed;
  std::string ending_detail;
  std::uint32_t rounds = 0, right_rounds = 0;
  std::vector<Mismatch> mismatches;  // of the first wrong round, which is their `launch`
  std::vector<kernels::Finding>
      findings;  // what the GPU itself noticed; of a modelled time what the emulator did
  std::optional<kernels::Timing> timing;  // of a modelled time only the median
  std::string bound_by;                   // of a modelled time: docs/model.md
  // Elements of the longest launch that a modelled time comes from; 0 in reports that lack it.
  std::uint64_t longest_launch = 0;
  std::vector<Rival> rivals;

  [[nodiscard]] bool completed() const {
    return skipped.empty() && ending == kernels::Ending::completed;
  }
  [[nodiscard]] bool correct() const { return completed() && right_rounds == rounds; }
};

// What of a kernel lies in local memory, which is device memory, instead of registers.
struct LocalMemory {
  std::vector<kernels::IndexedArray> indexed;  // by the emulator's analysis of the source
  std::optional<std::uint64_t>
      bytes;  // of a thread, by the compiler for the GPU, where there is one
};

// What there is to say of a check, whatever points it gives. Of one that passed only `seen`.
struct Judgement {
  Seen seen;     // empty when passed without anything to say
  int line = 0;  // of the student's file; 0 where no line is to blame
  std::optional<kernels::Finding> cause = std::nullopt;  // what explains it, seen in the same case
  bool tells_cause = false;  // `seen` tells of the cause itself, not of what came of it
  std::string about = {};    // of a counter or a time that is wrong: the id of that case
  std::size_t launch = 0;    // of that case, from 1; 0: of all
};

struct CheckResult : Judgement {
  enum class Status { passed, failed, not_run };
  std::string id, title;
  Status status = Status::not_run;
  int score = 0, max_score = 0;
  std::string hint = {};  // what the lab advises; empty unless failed
  bool hint_fits =
      false;  // it is meant for what was seen: a kind of finding, or how counts are wrong
  bool of_quiz = false;  // what is to be done about it is no change of the kernel
};
[[nodiscard]] std::string_view name(CheckResult::Status status);

// A check that this kit cannot judge, and its points do not count: a student edition has no
// solutions and no answers.
struct LeftOut {
  std::string check;
  int points = 0;
  std::string why;
};

struct LabResult {
  std::string lab, title;
  Verdict status = Verdict::not_attempted;
  int score = 0,
      max_score = 0;  // without has_mark(status) the score means nothing and is not shown
  std::string
      message;  // of the verdict as a whole: the first compiler error, what the machine lacked
  std::optional<Submission> submission;
  std::vector<kernels::Diagnostic> diagnostics;
  LocalMemory local_memory;  // where a check asks for it
  bool was_near_time_limit =
      false;                        // of processor time; another run may exceed it. Not in a report
  std::vector<CheckResult> checks;  // in the order of lab.json
  std::vector<CaseResult> cases;    // in the order of lab.json; only those that were chosen
  std::vector<TimedCaseResult> timed;      // in the order of lab.json; of those that compiled
  std::vector<kernels::Finding> findings;  // of all cases, merged
  std::vector<LeftOut> left_out;           // not in `checks`, nor in `max_score`
  std::optional<quiz::Outcome>
      quiz;  // of labs that check their quiz, and where somebody has answered it
};

struct Report {
  std::string version;
  std::uint64_t seed = 1;
  bool quick = false;
  std::string device_kind, device_name, sandbox;
  std::string gpu_name,
      gpu_driver;             // of the GPU that times were measured on; empty: there was none
  bool gpu_compiler = false;  // a compiler for the GPU was at hand, for checks about local memory
  std::uint32_t data_version = datasets::data_version;
  std::vector<LabResult> labs;

  [[nodiscard]] int score() const;
  [[nodiscard]] int max_score() const;
  [[nodiscard]] bool all_passed() const;
  [[nodiscard]] bool machine_failed() const;  // some lab has no mark
};

// One launch of `run`.
struct RunReport {
  std::string version, device_kind, device_name, sandbox;
  std::string lab, kernel_path;
  std::uint64_t seed = 1;
  bool compiled = false;
  bool refused = false;
  std::vector<kernels::Diagnostic> diagnostics;
  CaseResult result;  // one launch; as it was planned when the kernel does not compile
};

// One finding per cause (kernels/finding.h, same_cause), with the counts added. Keeps the causal
// order of both; notes last.
void merge_findings(std::vector<kernels::Finding>& into, const std::vector<kernels::Finding>& more);

// The first check of the kernel that failed, else the first that could not be judged; then of the
// quiz; null when all passed.
[[nodiscard]] const CheckResult* first_failing(const LabResult& lab);

}  // namespace histolab::grader

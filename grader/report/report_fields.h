// Descriptions of the values of a report (reference/fields.h), for report_json.h and
// report_reader.h.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>

#include "grader/files/json_fields.h"
#include "grader/lab/case_counters.h"
#include "grader/report/report_json.h"
#include "grader/words/seen_fields.h"
#include "kernels/finding_fields.h"

namespace histolab::quiz {

template <class F, Describes<QuestionResult> Value>
void fields(F& f, Value& question) {
  f("id", question.id), f("status", question.standing);
  f.or_null("answer", question.answer), f.or_null("message", question.message);
}

// The state of the answers, without the correct ones.
template <class F, Describes<Outcome> Value>
void fields(F& f, Value& outcome) {
  f.or_null("path", outcome.path), f.or_null("problem", outcome.problem);
  f("student", outcome.person.student), f("seed", outcome.person.seed);
  if constexpr (F::writes) f("right", outcome.count(Standing::right));
  f("questions", outcome.questions);
}

}  // namespace histolab::quiz

namespace histolab::grader {

inline constexpr int most_points = 1'000'000;  // per lab; keeps sums far from overflow
inline constexpr std::string_view reason_without_timing =
                                      "a time is measured on a GPU only; this device is the ",
                                  reason_without_model =
                                      "`histolab run` and `histolab model` give it";

template <class F, Describes<Mismatch> Value>
void fields(F& f, Value& mismatch) {
  f("bin", mismatch.bin);
  f.any_number("expected", mismatch.expected), f.any_number("got", mismatch.got);
  f.newer("launch", mismatch.launch, 1);
}

// The fields that cases with and without times begin with.
template <class F, class Case>
void launch_fields(F& f, Case& result) {
  f.if_set("kernel_name", result.kernel_name);
  f("dataset", result.dataset), f("length", result.length), f("bins", result.binning.bins, 1);
  f("grid", result.grid, 1), f("block", result.block, 1);
}

// A skipped case has the reason as its detail.
template <class F, class Case>
void ending_fields(F& f, Case& result) {
  if constexpr (F::writes) {
    f("ending", result.skipped.empty() ? name(result.ending) : "skipped");
    f.or_null("ending_detail", result.skipped.empty() ? result.ending_detail : result.skipped);
  } else if (f.text("ending") == "skipped") {
    f.or_null("ending_detail", result.skipped);
    if (result.skipped.empty()) f.problem("ending_detail", "is missing for a skipped case");
  } else {
    f("ending", result.ending), f.or_null("ending_detail", result.ending_detail);
  }
}

inline std::vector<reference::CounterValue> counters_in(Fields in) {
  std::vector<reference::CounterValue> known = counters_of({});
  known.push_back(updates_lost_to_races(0));
  add_program_facts({}, known);
  std::erase_if(known, [&](reference::CounterValue& counter) {
    const std::string key{counter.name};
    if (in.is_null(key.c_str())) return true;
    counter.value = in.number(key.c_str());
    return false;
  });
  return known;
}

template <class F, Describes<ModelledTime> Value>
requires F::writes void fields(F& f, Value& modelled) {
  f("profile", modelled.profile), f("median_ms", modelled.estimate.total_ns / 1e6);
  f("bound_by", modelled.estimate.bound_by), f("typical_error", reference::typical_error);
  for (const reference::TimeEstimate::Term& term : modelled.estimate.terms)
    f.json["terms_ms"][std::string{term.name}] = term.ns / 1e6;
}

template <class F>
void write_throughput(F& f, std::uint64_t length, const kernels::Timing* timing) {
  f("throughput", timing == nullptr
                      ? OrderedJson(nullptr)
                      : OrderedJson{{"elements_per_s",
                                     static_cast<double>(length) / (timing->median_ms / 1000)}});
}

// The fields that a case of a report and a run have in common. json_of() adds the device to
// timing_reason.
template <class F, class Case>
void case_fields(F& f, Case& result) {
  launch_fields(f, result);
  f("launches", result.launches, 1);
  f("schedule", result.schedule), f.newer("block_order", result.block_order);
  f("seed", result.seed);
  ending_fields(f, result);
  f("correct", result.correct);
  if constexpr (F::writes) {
    f("mismatched_bins", result.mismatches.size() + result.mismatches_left_out);
    f("mismatches", result.mismatches, mismatches_of_a_report);
    if (result.launches <= 1)
      for (OrderedJson& each : f.json["mismatches"]) each.erase("launch");
    OrderedJson& counters = f.json["counters"] = OrderedJson::object();
    for (const reference::CounterValue& counter : result.counters)
      counters[std::string{counter.name}] = json_number(counter.value);
    const bool timed = result.timing && result.timing->median_ms > 0;
    f.or_null("timing", timed ? result.timing : std::nullopt);
    f.or_null("timing_reason", timed ? "" : reason_without_timing);
    f.or_null("modelled", result.modelled);
    f.or_null("modelled_reason", result.modelled                  ? std::string_view{}
                                 : result.modelled_reason.empty() ? reason_without_model
                                                                  : result.modelled_reason);
    write_throughput(f, result.length, timed ? &*result.timing : nullptr);
  } else {
    f("mismatches", result.mismatches, mismatches_of_a_report);
    result.mismatches_left_out =
        f.template whole<std::uint64_t>("mismatched_bins", result.mismatches.size()) -
        result.mismatches.size();
    result.counters = counters_in(f.object("counters"));
    f.or_null("timing", result.timing), f.or_null("modelled_reason", result.modelled_reason);
  }
  f("printed", result.printed);
}

template <class F, Describes<CaseResult> Value>
void fields(F& f, Value& result) {
  f("id", result.id);
  case_fields(f, result);
}

template <class F, Describes<TimedCaseResult::Rival> Value>
void fields(F& f, Value& rival) {
  f("solution_of", rival.lab);
  if constexpr (F::writes) {
    f("median_ms", rival.ms()), f("timing", rival.timing);
  } else {
    const double ms = f.number("median_ms");
    rival.timing.median_ms = ms;
    f.or_null("timing", rival.timing);
    // Rival::ms() ignores the time in turns if the rival's results were wrong then.
    rival.right = ms <= rival.ms();
  }
}

template <class F, class Case>
void timed_case_fields(F& f, Case& result, std::size_t most_mismatches) {
  f("id", result.id);
  launch_fields(f, result);
  f("device", result.device), f("measured", result.measured);
  ending_fields(f, result);
  f("launches", result.rounds), f("right_launches", result.right_rounds);
  f("mismatches", result.mismatches, most_mismatches);
  if constexpr (F::writes) {
    const kernels::Timing* const time = result.timing ? &*result.timing : nullptr;
    f.or_null("timing", result.measured ? result.timing : std::nullopt);
    f("modelled", result.measured || time == nullptr
                      ? OrderedJson(nullptr)
                      : OrderedJson{{"device", result.device},
                                    {"median_ms", time->median_ms},
                                    {"bound_by", result.bound_by},
                                    {"typical_error", reference::typical_error},
                                    {"longest_launch", result.longest_launch}});
    write_throughput(f, result.length,
                     result.measured && time != nullptr && time->median_ms > 0 ? time : nullptr);
  } else {
    f.or_null("timing", result.timing);
    if (!f.is_null("modelled")) {
      Fields modelled = f.object("modelled");
      result.timing = kernels::Timing{};
      modelled("median_ms", result.timing->median_ms), modelled("bound_by", result.bound_by);
      modelled.newer("longest_launch", result.longest_launch);
    }
  }
  f("rivals", result.rivals);
  if constexpr (F::writes)
    if (!result.measured)
      for (OrderedJson& each : f.json["rivals"]) each["timing"] = nullptr;
  f("findings", result.findings);
}
template <class F, Describes<TimedCaseResult> Value>
void fields(F& f, Value& result) {
  timed_case_fields(f, result, mismatches_of_a_report);
}

// Splits the message of the first reports, which had one sentence followed by the hint.
inline void split_message(std::string message, CheckResult& check) {
  constexpr std::string_view hint_mark = ". Hint: ";
  const std::size_t hint = message.rfind(hint_mark);
  if (check.status == CheckResult::Status::failed && hint != std::string::npos &&
      hint + hint_mark.size() < message.size()) {
    check.hint = message.substr(hint + hint_mark.size());
    message.resize(hint);
  }
  check.seen.what = std::move(message);
}

// A reader needs the greatest score first. Without a mark, the score is null.
template <class F, class Value>
void score_fields(F& f, Value& value, bool has_mark = true) {
  if constexpr (!F::writes) f("max_score", value.max_score, 0, most_points);
  if (has_mark)
    f("score", value.score, 0, value.max_score);
  else if constexpr (F::writes)
    f("score", nullptr);
  else if (!f.is_null("score"))
    f.problem("score", "must be null for this status");
  if constexpr (F::writes) f("max_score", value.max_score);
}

template <class F, Describes<CheckResult> Value>
void fields(F& f, Value& check) {
  f("id", check.id), f.or_null("title", check.title), f("status", check.status);
  score_fields(f, check);
  if constexpr (F::writes)
    f("message", check.seen.sentence(check.hint));
  else if (f.is_null("seen"))
    split_message(f.text("message"), check);
  f.newer("seen", check.seen);
  f.or_null("hint", check.hint), f.or_null("line", check.line, 1);
  // The other inputs of advice_for(), so that advice from a journal equals the advice from `grade`.
  f.if_set("cause", check.cause), f.if_set("tells_cause", check.tells_cause);
  f.if_set("hint_fits", check.hint_fits), f.if_set("of_quiz", check.of_quiz);
  f.if_set("launch", check.launch, 1);
}

template <class F, Describes<LeftOut> Value>
void fields(F& f, Value& left_out) {
  f("check", left_out.check), f("points", left_out.points, 0, most_points), f("why", left_out.why);
}

template <class F, Describes<Submission> Value>
void fields(F& f, Value& submission) {
  f("path", submission.path), f("sha256", submission.sha256);
}

// Names of labs are used as file names.
inline bool is_lab_name(const std::string& name) {
  return !name.empty() && std::all_of(name.begin(), name.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-';
  });
}

template <class F, Describes<LabResult> Value>
void fields(F& f, Value& lab) {
  f("lab", lab.lab), f("title", lab.title), f("status", lab.status);
  if constexpr (!F::writes)
    if (!is_lab_name(lab.lab)) f.problem("lab", "is not a lab name such as 02-atomic-add");
  score_fields(f, lab, has_mark(lab.status));
  f.or_null("message", lab.message), f.or_null("submission", lab.submission);
  f("diagnostics", lab.diagnostics), f("checks", lab.checks), f("cases", lab.cases);
  f.newer("timed_cases", lab.timed);
  f("findings", lab.findings);
  f.or_null("quiz", lab.quiz), f.if_set("left_out", lab.left_out);
}

template <class F, Describes<Report> Value>
void fields(F& f, Value& report) {
  f.schema("histolab/report/1");
  f("version", report.version), f("seed", report.seed);
  f.newer("data_version", report.data_version), f("quick", report.quick);
  f.group("device", [&](auto& device) {
    device("kind", report.device_kind), device("name", report.device_name);
  });
  f.group_or_null("gpu", report.gpu_name.empty(), [&](auto& gpu) {
    gpu("name", report.gpu_name), gpu("driver", report.gpu_driver);
  });
  f.newer("gpu_compiler", report.gpu_compiler);
  f.group("sandbox", [&](auto& sandbox) { sandbox("tier", report.sandbox); });
  f("labs", report.labs);
  if constexpr (F::writes) {
    f("score", report.machine_failed() ? OrderedJson(nullptr) : OrderedJson(report.score()));
    f("max_score", report.max_score());
  } else if (f.problems().empty()) {
    if (f.template whole<int>("max_score") != report.max_score())
      f.problem("max_score", "is not the sum of the labs'");
    if (report.machine_failed() != f.is_null("score"))
      f.problem("score", "must be null if and only if a lab's score is null");
    else if (!report.machine_failed() && f.template whole<int>("score") != report.score())
      f.problem("score", "is not the sum of the labs'");
  }
}

}  // namespace histolab::grader

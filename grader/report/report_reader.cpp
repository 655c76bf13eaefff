#include "grader/report/report_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "grader/files/json_fields.h"
#include "grader/files/read_file.h"
#include "grader/lab/case_counters.h"
#include "grader/report/report_json.h"

namespace histolab::grader {
namespace {

constexpr int most_points = 1'000'000;  // per lab; keeps sums far from overflow

constexpr Verdict verdicts[] = {
    Verdict::failed,      Verdict::passed,  Verdict::compile_error, Verdict::timeout,
    Verdict::crashed,     Verdict::refused, Verdict::not_attempted, Verdict::infrastructure_error,
    Verdict::needs_review};
constexpr CheckResult::Status statuses[] = {
    CheckResult::Status::not_run, CheckResult::Status::passed, CheckResult::Status::failed};
constexpr kernels::Severity severities[] = {kernels::Severity::error, kernels::Severity::note};
constexpr kernels::Space spaces[] = {kernels::Space::none, kernels::Space::global,
                                     kernels::Space::shared, kernels::Space::local};
constexpr kernels::Ending endings[] = {kernels::Ending::completed, kernels::Ending::stopped,
                                       kernels::Ending::timed_out, kernels::Ending::crashed};
constexpr quiz::Standing standings[] = {quiz::Standing::unanswered, quiz::Standing::not_understood,
                                        quiz::Standing::wrong,      quiz::Standing::right,
                                        quiz::Standing::gave_up,    quiz::Standing::answered};

const auto name_of = [](auto value) { return name(value); };

// Reads each element of an array. The element knows its JSON pointer.
template <class Read>
auto each(Fields& in, const char* key, Read read) {
  std::vector<decltype(read(in))> list;
  const Json& array = in.array(key);
  for (std::size_t i = 0; i < array.size() && !in.problems().are_many(); ++i) {
    Fields item(array[i], fmt::format("{}/{}", in.at(key), i), in.problems());
    list.push_back(read(item));
  }
  return list;
}

kernels::Dim3 triple(Fields& in, const char* key) {
  const Json& array = in.array(key);
  const auto fits = [](const Json& value) {
    return value.is_number_unsigned() &&
           value.get<std::uint64_t>() <= std::numeric_limits<std::uint32_t>::max();
  };
  if (array.size() == 3 && std::all_of(array.begin(), array.end(), fits))
    return {array[0].get<std::uint32_t>(), array[1].get<std::uint32_t>(),
            array[2].get<std::uint32_t>()};
  in.problem(key, "expected three whole numbers");
  return {};
}

std::optional<kernels::ThreadId> thread(Fields& in, const char* key) {
  if (in.is_null(key)) return std::nullopt;
  Fields fields = in.object(key);
  return kernels::ThreadId{triple(fields, "block"), triple(fields, "thread")};
}

kernels::Finding finding(Fields& in) {
  kernels::Finding found;
  found.kind = in.named<kernels::FindingKind>("kind", kernels::all_finding_kinds, name_of);
  found.severity = in.named<kernels::Severity>("severity", severities, name_of);
  found.space = in.named<kernels::Space>("space", spaces, name_of);
  found.variable = in.text_or_null("variable");
  if (!in.is_null("index"))
    found.index = in.whole<std::int64_t>("index", std::numeric_limits<std::int64_t>::min());
  found.line = in.whole_or_null("line", 0, 1);
  found.other_line = in.whole_or_null("other_line", 0, 1);
  found.thread = thread(in, "thread");
  found.other_thread = thread(in, "other_thread");
  found.count = in.whole<std::uint64_t>("count", 1);
  found.message = in.text("message");
  return found;
}

kernels::Diagnostic diagnostic(Fields& in) {
  return {in.named<kernels::Severity>("severity", severities, name_of),
          in.whole_or_null("line", 0, 1), in.whole_or_null("column", 0, 1), in.text("message")};
}

// NaN and infinity, which a kernel may leave in an output of floats, are null in JSON.
Mismatch mismatch(Fields& in) {
  constexpr double none = std::numeric_limits<double>::quiet_NaN();
  return {in.whole_or_null<std::uint32_t>("launch", 1, 1), in.whole<std::uint32_t>("bin"),
          in.number_or_null("expected", none), in.number_or_null("got", none)};
}

std::vector<Mismatch> mismatches(Fields& in, std::size_t most) {
  std::vector<Mismatch> found = each(in, "mismatches", mismatch);
  if (found.size() > most) in.problem("mismatches", fmt::format("expected at most {}", most));
  return found;
}

kernels::Timing timing(Fields in) {
  kernels::Timing found;
  found.median_ms = in.number("median_ms"), found.low_ms = in.number("low_ms"),
  found.high_ms = in.number("high_ms");
  const Json& samples = in.array("samples_ms");
  for (std::size_t i = 0; i < samples.size(); ++i) {
    if (samples[i].is_number())
      found.samples_ms.push_back(samples[i].get<double>());
    else
      in.problem(fmt::format("samples_ms/{}", i), "expected a number");
  }
  found.alone_ms = in.number_or_null("alone_ms", 0);
  found.sm_clock_mhz = in.whole_or_null("sm_clock_mhz", 0);
  found.throttled_by = in.text_or_null("throttled_by");
  found.by_host_clock = in.text("clock") == "host";
  return found;
}

kernels::Timing only_median(Fields& in) {
  kernels::Timing found;
  found.median_ms = in.number("median_ms");
  return found;
}

std::vector<reference::CounterValue> counters(Fields& in) {
  static const std::vector<reference::CounterValue> known = [] {
    std::vector<reference::CounterValue> all = counters_of({});
    all.push_back(updates_lost_to_races(0));
    return all;
  }();
  Fields fields = in.object("counters");
  std::vector<reference::CounterValue> found;
  for (reference::CounterValue counter : known) {
    const std::string key{counter.name};
    if (fields.is_null(key.c_str())) continue;
    counter.value = fields.number(key.c_str());
    found.push_back(counter);
  }
  return found;
}

// Reads the fields that both kinds of cases have.
template <class Case>
void add_launch(Fields& in, Case& found, std::size_t most_mismatches = mismatches_of_a_report) {
  found.id = in.text("id");
  found.kernel_name = in.text_or_null("kernel_name");
  found.dataset = in.text("dataset");
  found.length = in.whole<std::uint64_t>("length");
  found.binning.bins = in.whole<std::uint32_t>("bins", 1);
  found.grid = in.whole<std::uint32_t>("grid", 1);
  found.block = in.whole<std::uint32_t>("block", 1);
  const std::string detail = in.text_or_null("ending_detail");
  if (in.text("ending") == "skipped") {
    found.skipped = detail;
    if (detail.empty()) in.problem("ending_detail", "is missing for a skipped case");
  } else {
    found.ending = in.named<kernels::Ending>("ending", endings, name_of);
    found.ending_detail = detail;
  }
  found.mismatches = mismatches(in, most_mismatches);
}

CaseResult one_case(Fields& in) {
  CaseResult found;
  add_launch(in, found);
  found.launches = in.whole<std::uint32_t>("launches", 1);
  found.schedule = in.named<kernels::Schedule>("schedule", kernels::all_schedules, name_of);
  if (!in.is_null("block_order"))
    found.block_order =
        in.named<kernels::BlockOrder>("block_order", kernels::all_block_orders, name_of);
  found.seed = in.whole<std::uint64_t>("seed");
  found.correct = in.flag("correct");
  found.mismatches_left_out =
      in.whole<std::uint64_t>("mismatched_bins", found.mismatches.size()) - found.mismatches.size();
  found.counters = counters(in);
  if (!in.is_null("timing")) found.timing = timing(in.object("timing"));
  found.modelled_reason = in.text_or_null("modelled_reason");
  found.printed = in.text("printed");
  return found;
}

TimedCaseResult timed_case(Fields& in, std::size_t most_mismatches = mismatches_of_a_report) {
  TimedCaseResult found;
  add_launch(in, found, most_mismatches);
  found.device = in.text("device");
  found.measured = in.flag("measured");
  found.rounds = in.whole<std::uint32_t>("launches");
  found.right_rounds = in.whole<std::uint32_t>("right_launches");
  if (!in.is_null("timing")) found.timing = timing(in.object("timing"));
  if (!in.is_null("modelled")) {
    Fields modelled = in.object("modelled");
    found.timing = only_median(modelled);
    found.bound_by = modelled.text("bound_by");
    found.longest_launch = modelled.whole_or_null<std::uint64_t>("longest_launch", 0);
  }
  found.rivals = each(in, "rivals", [](Fields& fields) {
    TimedCaseResult::Rival rival;
    rival.lab = fields.text("solution_of");
    const double ms = fields.number("median_ms");
    rival.timing = fields.is_null("timing") ? only_median(fields) : timing(fields.object("timing"));
    // Rival::ms() ignores the time in turns if the rival's results were wrong then.
    rival.right = ms <= rival.ms();
    return rival;
  });
  found.findings = each(in, "findings", finding);
  return found;
}

// Splits the message of the first reports, which had one sentence followed by the hint.
void split_message(std::string message, CheckResult& check) {
  constexpr std::string_view hint_mark = ". Hint: ";
  const std::size_t hint = message.rfind(hint_mark);
  if (check.status == CheckResult::Status::failed && hint != std::string::npos &&
      hint + hint_mark.size() < message.size()) {
    check.hint = message.substr(hint + hint_mark.size());
    message.resize(hint);
  }
  check.seen.what = std::move(message);
}

Seen seen(Fields in) {
  Seen found;
  found.where = in.text_or_null("where"), found.what = in.text_or_null("what"),
  found.of_where = !in.is_null("of_where") && in.flag("of_where");
  found.aside = in.text_or_null("aside"), found.why = in.text_or_null("why");
  found.next = in.text_or_null("next"), found.note = in.text_or_null("note");
  return found;
}

CheckResult check(Fields& in) {
  CheckResult found;
  found.id = in.text("id"), found.title = in.text_or_null("title");
  found.status = in.named<CheckResult::Status>("status", statuses, name_of);
  found.max_score = in.whole("max_score", 0, most_points);
  found.score = in.whole("score", 0, found.max_score);
  if (in.is_null("seen"))
    split_message(in.text("message"), found);
  else
    found.seen = seen(in.object("seen")), found.hint = in.text_or_null("hint");
  found.line = in.whole_or_null("line", 0, 1);
  if (!in.is_null("cause")) {
    Fields cause = in.object("cause");
    found.cause = finding(cause);
  }
  const auto holds = [&](const char* key) { return !in.is_null(key) && in.flag(key); };
  found.tells_cause = holds("tells_cause"), found.hint_fits = holds("hint_fits"),
  found.of_quiz = holds("of_quiz");
  found.launch = in.whole_or_null<std::size_t>("launch", 0, 1);
  return found;
}

std::optional<quiz::Outcome> quiz_outcome(Fields& in) {
  if (in.is_null("quiz")) return std::nullopt;
  Fields fields = in.object("quiz");
  quiz::Outcome found;
  found.path = fields.text_or_null("path"), found.problem = fields.text_or_null("problem");
  found.person = {fields.text("student"), fields.whole<std::uint64_t>("seed")};
  found.questions = each(fields, "questions", [](Fields& question) {
    return quiz::QuestionResult{
        question.text("id"),
        question.named<quiz::Standing>("status", standings,
                                       [](auto value) { return quiz::name(value); }),
        question.text_or_null("answer"), question.text_or_null("message")};
  });
  return found;
}

// Names of labs are used as file names.
bool is_lab_name(const std::string& name) {
  return !name.empty() && std::all_of(name.begin(), name.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-';
  });
}

LabResult lab(Fields& in) {
  LabResult found;
  found.lab = in.text("lab"), found.title = in.text("title");
  if (!is_lab_name(found.lab)) in.problem("lab", "is not a lab name such as 02-atomic-add");
  found.status = in.named<Verdict>("status", verdicts, name_of);
  found.max_score = in.whole("max_score", 0, most_points);
  const bool judged = has_mark(found.status);
  if (judged) found.score = in.whole("score", 0, found.max_score);
  if (!judged && !in.is_null("score")) in.problem("score", "must be null for this status");
  found.message = in.text_or_null("message");
  if (!in.is_null("submission")) {
    Fields submission = in.object("submission");
    found.submission = Submission{submission.text("path"), "", submission.text("sha256")};
  }
  found.diagnostics = each(in, "diagnostics", diagnostic);
  found.checks = each(in, "checks", check);
  found.cases = each(in, "cases", one_case);
  if (!in.is_null("timed_cases"))
    found.timed = each(in, "timed_cases", [](Fields& fields) {
      return timed_case(fields);
    });  // missing in the first reports
  found.findings = each(in, "findings", finding);
  found.quiz = quiz_outcome(in);
  if (!in.is_null("left_out"))  // only from a student edition
    found.left_out = each(in, "left_out", [](Fields& fields) {
      return LeftOut{fields.text("check"), fields.whole("points", 0, most_points),
                     fields.text("why")};
    });
  return found;
}

Report whole_report(Fields& in) {
  Report found;
  const std::string schema = in.text("schema");
  if (schema != "histolab/report/1")
    in.problem("schema", fmt::format("expected histolab/report/1, found \"{}\"", schema));
  found.version = in.text("version");
  found.seed = in.whole<std::uint64_t>("seed");
  found.data_version = in.whole_or_null<std::uint32_t>("data_version", 1);
  found.quick = in.flag("quick");
  Fields device = in.object("device");
  found.device_kind = device.text("kind"), found.device_name = device.text("name");
  if (!in.is_null("gpu")) {
    Fields gpu = in.object("gpu");
    found.gpu_name = gpu.text("name"), found.gpu_driver = gpu.text("driver");
  }
  found.gpu_compiler = !in.is_null("gpu_compiler") && in.flag("gpu_compiler");
  found.sandbox = in.object("sandbox").text("tier");
  found.labs = each(in, "labs", lab);
  if (in.problems().empty()) {
    if (in.whole<int>("max_score") != found.max_score())
      in.problem("max_score", "is not the sum of the labs'");
    if (found.machine_failed() != in.is_null("score"))
      in.problem("score", "must be null if and only if a lab's score is null");
    else if (!found.machine_failed() && in.whole<int>("score") != found.score())
      in.problem("score", "is not the sum of the labs'");
  }
  return found;
}

template <class Read>
auto read(std::string_view text, const std::string& name, Read from)
    -> Result<decltype(from(std::declval<Fields&>()))> {
  const Json json = Json::parse(text, nullptr, false);
  if (json.is_discarded()) return Error{fmt::format("{}: not JSON, or truncated", name)};
  Problems problems(name);
  Fields fields(json, "", problems);
  auto found = from(fields);
  if (!problems.empty()) return problems.error();
  return found;
}

}  // namespace

Result<Report> report_from_json(std::string_view text, const std::string& name) {
  return read(text, name, whole_report);
}

Result<Report> read_report(const std::string& path) {
  constexpr std::uint64_t longest = 256 << 20;
  return report_from_json(TRY(read_text_file(path, "report", longest)), path);
}
Result<LabResult> lab_result_from_json(std::string_view text, const std::string& name) {
  return read(text, name, lab);
}

Result<std::vector<TimedCaseResult>> timed_cases_from_json(std::string_view text,
                                                           const std::string& name) {
  return read(text, name, [](Fields& in) {
    return each(in, "timed_cases", [](Fields& fields) {
      return timed_case(fields, std::numeric_limits<std::size_t>::max());
    });
  });
}

}  // namespace histolab::grader

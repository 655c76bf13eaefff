#include "grader/report/report_reader.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "grader/lab/case_counters.h"
#include "grader/report/report_json.h"
#include "grader/testing/files.h"

using namespace histolab;
using namespace histolab::grader;
using namespace histolab::grader::testing;

namespace {

std::string golden_report() {
  return get(std::string{HISTOLAB_SOURCE_DIR} + "/grader/golden/report.json");
}

kernels::Timing modelled_timing(double ms) {
  kernels::Timing timing;
  timing.median_ms = ms;
  return timing;
}

kernels::Timing a_timing() {
  kernels::Timing timing;
  timing.median_ms = 0.1, timing.low_ms = 1.0 / 3, timing.high_ms = 2,
  timing.samples_ms = {0.1, 2e-5};
  timing.alone_ms = 0.07, timing.sm_clock_mhz = 1980, timing.throttled_by = "power cap",
  timing.by_host_clock = true;
  return timing;
}

// All members of a report, each optional one both present and missing.
LabResult full_lab() {
  LabResult lab;
  lab.lab = "05-coarsening", lab.title = "T\xc3\xa9", lab.status = Verdict::failed, lab.score = 3,
  lab.max_score = 10, lab.message = "no";
  lab.submission = Submission{"work/05.cu", "", std::string(64, 'a')};
  lab.diagnostics = {{kernels::Severity::note, 3, 4, "unused"},
                     {kernels::Severity::error, 0, 0, "bad"}};
  CheckResult check;
  check.id = "fast", check.title = "as fast", check.status = CheckResult::Status::failed,
  check.max_score = 7,
  check.seen = {.where = "case a",
                .what = "was stopped: it says. Hint: no",
                .of_where = true,
                .aside = "1 of 2 cases fails",
                .why = "line 3: all wait",
                .next = "wait",
                .note = "of one block"},
  check.hint = "read less", check.line = 7;
  CheckResult plain;
  plain.id = "plain", plain.status = CheckResult::Status::passed, plain.score = plain.max_score = 3,
  plain.seen.what = "right. Hint: ";
  kernels::Finding finding;
  finding.kind = kernels::FindingKind::data_race, finding.space = kernels::Space::shared,
  finding.variable = "mine", finding.index = -3, finding.line = 4, finding.other_line = 5;
  finding.thread = kernels::ThreadId{{1, 2, 3}, {4, 5, 6}}, finding.count = ~std::uint64_t{0},
  finding.message = "two threads";
  check.cause = finding, check.tells_cause = check.hint_fits = check.of_quiz = true,
  check.launch = 2;
  lab.checks = {check, plain};
  kernels::Finding bare;
  bare.severity = kernels::Severity::note, bare.message = "x";
  lab.findings = {finding, bare};
  CaseResult run;
  run.id = "long", run.kernel_name = "count", run.dataset = "mixed", run.length = 1, run.grid = 2,
  run.block = 64, run.launches = 2, run.seed = ~std::uint64_t{0};
  run.schedule = kernels::Schedule::adversarial, run.ending = kernels::Ending::crashed,
  run.ending_detail = "signal 11", run.printed = "\x1b[2J";
  for (std::uint32_t bin = 0; bin < 70; ++bin)
    run.mismatches.push_back({bin % 2 + 1, bin, 1.5, std::nan("")});
  run.counters = counters_of({}, 4, 5, 1.25, 1ull << 60);
  run.timing = a_timing();
  CaseResult left_out;
  left_out.id = "skipped", left_out.dataset = "book",
  left_out.skipped = "the one before ended badly", left_out.modelled_reason = "nothing to model";
  lab.cases = {run, left_out};
  TimedCaseResult timed;
  timed.id = "timed", timed.kernel_name = "count", timed.dataset = "book",
  timed.device = "NVIDIA H200", timed.rounds = 15, timed.right_rounds = 14,
  timed.timing = a_timing(), timed.mismatches = {{3, 1, 2, 4}}, timed.findings = {finding};
  timed.rivals = {{"05-coarsening", a_timing()},
                  {"read.cu", a_timing()},
                  {"04-privatization", a_timing(), false}};
  timed.rivals[1].timing.alone_ms = 0, timed.rivals[2].timing.median_ms = 0.01;
  TimedCaseResult modelled = timed;
  modelled.measured = false, modelled.timing = modelled_timing(0.3), modelled.bound_by = "dram",
  modelled.rivals = {{"05-coarsening", modelled_timing(0.2)}};
  TimedCaseResult untimed;
  untimed.id = "none", untimed.dataset = "book", untimed.device = "NVIDIA H200",
  untimed.skipped = "wrong results";
  lab.timed = {timed, modelled, untimed};
  quiz::Outcome quiz;
  quiz.path = "work/05.quiz.json", quiz.person = {"Ada", 7};
  quiz.questions = {{"why", quiz::Standing::wrong, "12", "not quite"},
                    {"how", quiz::Standing::unanswered, "", ""}};
  lab.quiz = quiz;
  lab.left_out = {{"few", 2, "it needs a GPU"}};
  return lab;
}

std::string error_of(const nlohmann::ordered_json& json) {
  const Result<Report> read = report_from_json(json.dump(), "r.json");
  return read ? "no error" : read.error().message;
}

}  // namespace

TEST_CASE("a report that is read and written again is the same, to the byte") {
  Report report;
  report.version = "1", report.seed = ~std::uint64_t{0}, report.quick = true,
  report.device_kind = "emulator", report.device_name = "e", report.sandbox = "full";
  report.gpu_name = "NVIDIA H200", report.gpu_driver = "580", report.gpu_compiler = true;
  report.labs = {full_lab()};
  CHECK(matches_golden("report-full.json", to_json(report)));
  for (const std::string& text : {golden_report(), to_json(report)}) {
    const Result<Report> read = report_from_json(text, "report.json");
    REQUIRE_MESSAGE(read.ok(), read.error().message);
    CHECK(to_json(*read) == text);
  }
}

TEST_CASE("one lab that is read and written again is the same, as in a journal") {
  const std::string text = text_of(json_of(full_lab()), true);
  const Result<LabResult> read = lab_result_from_json(text, "journal");
  REQUIRE_MESSAGE(read.ok(), read.error().message);
  CHECK(text_of(json_of(*read), true) == text);
}

TEST_CASE("counters that only programs have are read") {
  LabResult lab = full_lab();
  add_program_facts({.printed_ms = 2, .kernels_ms = 1, .ignores_failures = true},
                    lab.cases.front().counters);
  const std::string text = text_of(json_of(lab), true);
  const Result<LabResult> read = lab_result_from_json(text, "journal");
  REQUIRE(read.ok());
  CHECK(read->cases.front().counters.size() == counters_of({}).size() + 2);
  CHECK(text_of(json_of(*read), true) == text);
}

TEST_CASE("every value in the JSON is read back unchanged") {
  const Result<LabResult> read = lab_result_from_json(text_of(json_of(full_lab())), "lab");
  REQUIRE(read.ok());
  CHECK(read->status == Verdict::failed);
  CHECK(read->submission->sha256 == std::string(64, 'a'));
  CHECK(read->checks.front().seen.what == "was stopped: it says. Hint: no");
  CHECK(read->checks.front().seen.of_where);
  CHECK(read->checks.front().seen.sentence() == full_lab().checks.front().seen.sentence());
  CHECK(read->checks.front().hint == "read less");
  CHECK(read->checks.back().hint.empty());
  CHECK(read->findings.front().thread->block == kernels::Dim3{1, 2, 3});
  CHECK(read->cases.front().mismatches.size() == 64);
  CHECK(read->cases.front().mismatches_left_out == 6);
  CHECK(std::isnan(read->cases.front().mismatches.front().got));
  CHECK(read->cases.front().counters.size() == counters_of({}).size());
  CHECK(read->cases.front().counters.back().value == 1152921504606846976.0);
  CHECK_FALSE(read->cases.back().completed());
  CHECK(read->timed.front().rivals[0].right);
  CHECK_FALSE(read->timed.front().rivals[2].right);
  CHECK(read->timed[1].bound_by == "dram");
  CHECK(read->quiz->person.seed == 7);
}

TEST_CASE("a lab without a mark has no score") {
  for (const Verdict status : {Verdict::infrastructure_error, Verdict::needs_review}) {
    LabResult lab = full_lab();
    lab.status = status;
    Report report;
    report.version = "1", report.device_kind = "emulator", report.device_name = "e",
    report.sandbox = "full", report.labs = {lab};
    const Result<Report> read = report_from_json(to_json(report), "report.json");
    REQUIRE_MESSAGE(read.ok(), read.error().message);
    CHECK(read->machine_failed());
    CHECK(read->labs.front().status == status);
    CHECK(read->labs.front().score == 0);
  }
}

TEST_CASE("an error in a report is described with its JSON pointer") {
  using Json = nlohmann::ordered_json;
  const Json good = Json::parse(golden_report());
  const auto with = [&](const char* pointer, const Json& value) {
    Json json = good;
    json[Json::json_pointer(pointer)] = value;
    return error_of(json);
  };
  CHECK(error_of(good) == "no error");
  CHECK(with("/schema", "histolab/run/1") ==
        "r.json: /schema: expected histolab/report/1, found \"histolab/run/1\"");
  CHECK(with("/labs/0/score", 11) ==
        "r.json: /labs/0/score: expected a whole number from 0 to 10, found 11");
  CHECK(with("/labs/0/score", -1) ==
        "r.json: /labs/0/score: expected a whole number from 0 to 10, found -1");
  CHECK(with("/labs/0/score", nullptr) ==
        "r.json: /labs/0/score: expected a whole number from 0 to 10, found null");
  CHECK(with("/labs/0/score", 1e300) ==
        "r.json: /labs/0/score: expected a whole number from 0 to 10, found 1e+300");
  CHECK(with("/labs/0/score", 9.5) ==
        "r.json: /labs/0/score: expected a whole number from 0 to 10, found 9.5");
  CHECK(with("/labs/0/status", "splendid") == "r.json: /labs/0/status: unknown word \"splendid\"");
  CHECK(with("/labs/0/lab", "../../etc/passwd") ==
        "r.json: /labs/0/lab: is not a lab name such as 02-atomic-add");
  CHECK(with("/labs/0/checks", Json::object()) ==
        "r.json: /labs/0/checks: expected an array, found object");
  CHECK(with("/labs/0/cases/0/block", 0)
            .find("/labs/0/cases/0/block: expected a whole number from 1") != std::string::npos);
  CHECK(with("/labs/0", 5).find("r.json: /labs/0: expected an object (and ") == 0);
  CHECK(with("/max_score", 1) == "r.json: /max_score: is not the sum of the labs'");
  CHECK(with("/score", 1) == "r.json: /score: must be null if and only if a lab's score is null");
  CHECK(with("/labs/0/from_the_future", 1) == "no error");
  CHECK(report_from_json("", "r.json").error().message == "r.json: not JSON, or truncated");
  CHECK(report_from_json("\xff", "r.json").error().message == "r.json: not JSON, or truncated");
  CHECK(report_from_json("[]", "r.json")
            .error()
            .message.find("r.json: /: expected an object (and ") == 0);
}

TEST_CASE("reading a report with a million errors stops early and reports the first ones") {
  const auto message_of = [](std::size_t labs) {
    std::string text = R"({"schema": "histolab/report/1", "labs": [)";
    for (std::size_t i = 0; i < labs; ++i) text += "{},";
    const auto report = report_from_json(text + "{}]}", "r.json");
    REQUIRE_FALSE(report);
    return report.error().message;
  };
  CHECK(message_of(100'000) == message_of(1000));
  CHECK(message_of(0) != message_of(1));
}

TEST_CASE("an old report without times, GPUs and quizzes is read") {
  using Json = nlohmann::ordered_json;
  Json then = Json::parse(golden_report());
  then.erase("gpu");
  for (Json& lab : then["labs"]) lab.erase("timed_cases"), lab.erase("quiz");
  const Result<Report> read = report_from_json(then.dump(), "r.json");
  REQUIRE_MESSAGE(read.ok(), read.error().message);
  for (const LabResult& lab : read->labs) {
    CHECK(lab.timed.empty());
    CHECK_FALSE(lab.quiz);
  }
}

TEST_CASE("no untrusted text ends the program") {
  const std::string text = text_of(json_of(full_lab()), true);
  for (std::size_t length = 0; length + 1 < text.size(); length += 7)
    CHECK_FALSE(lab_result_from_json(text.substr(0, length), "cut").ok());
  // Replace each value by one of another type: the result is a value or a message.
  const nlohmann::ordered_json flat = nlohmann::ordered_json::parse(text).flatten();
  for (const auto& [pointer, ignored] : flat.items())
    for (const nlohmann::ordered_json& other :
         {nlohmann::ordered_json(nullptr), nlohmann::ordered_json(-1), nlohmann::ordered_json("x"),
          nlohmann::ordered_json::array({1}), nlohmann::ordered_json(1e308)}) {
      nlohmann::ordered_json changed = nlohmann::ordered_json::parse(text);
      changed[nlohmann::ordered_json::json_pointer(pointer)] = other;
      if (const Result<LabResult> read = lab_result_from_json(changed.dump(), "changed"))
        CHECK(read->score <= read->max_score);
      else
        CHECK(read.error().message.find("changed: ") == 0);
    }
  CHECK(report_from_json(std::string(200'000, '['), "deep").error().message ==
        "deep: lists and objects are nested more than 100 deep");
}

// The parts of a remark, the parts dropped to save lines, and its text at any width.
#include "grader/feedback/advice.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "grader/words/words.h"

using namespace histolab;
using namespace histolab::grader;
using kernels::Diagnostic;
using kernels::FindingKind;

namespace {

kernels::Finding of_kind(FindingKind kind) {
  kernels::Finding finding;
  finding.kind = kind;
  return finding;
}

CaseResult some_case() {
  CaseResult result;
  result.id = "mixed-31";
  result.dataset = "mixed";
  result.length = 31;
  result.grid = 8;
  result.block = 4;
  result.launches = 2;
  return result;
}

const std::string in_case = "case mixed-31 (mixed, 31 bytes, grid 8 x block 4)";

LabResult failing(Seen seen, const std::string& hint = "Look at the index.") {
  LabResult lab;
  lab.lab = "02-atomic-add";
  lab.status = Verdict::failed;
  lab.submission = Submission{};
  lab.submission->path = "work/02.cu";
  lab.submission->text = "one\ntwo\nthree\n";
  lab.cases = {some_case()};
  CheckResult check;
  check.id = "no_findings";
  check.status = CheckResult::Status::failed;
  check.max_score = 3;
  check.seen = std::move(seen);
  check.hint = hint;
  lab.checks = {check};
  return lab;
}

kernels::Finding race(std::uint64_t count = 1) {
  kernels::Finding finding;
  finding.kind = FindingKind::data_race;
  finding.line = 3;
  finding.other_line = 2;
  finding.count = count;
  finding.message = "threads 0 and 1 of block 0 both update histo[2]. Use an atomic operation";
  return finding;
}

const Seen of_race{.where = in_case,
                   .what = "data_race: threads 0 and 1 of block 0 both update histo[2]",
                   .next = "Use an atomic operation"};

// The failure that a check of findings makes from that race.
LabResult failing_by_a_race(const std::string& hint, std::uint64_t count = 1) {
  LabResult lab = failing(of_race, hint);
  lab.checks[0].cause = race(count);
  lab.checks[0].tells_cause = true;
  lab.checks[0].line = 3;
  return lab;
}

Remark only(const LabResult& lab) {
  const std::optional<Advice> advice = advice_for(lab);
  REQUIRE(advice);
  REQUIRE(advice->remarks.size() == 1);
  return advice->remarks.front();
}

}  // namespace

TEST_CASE("no advice if the lab passed, was not attempted, or the machine failed") {
  for (const Verdict verdict : {Verdict::passed, Verdict::not_attempted,
                                Verdict::infrastructure_error, Verdict::needs_review}) {
    LabResult lab = failing({.what = "wrong"});
    lab.status = verdict;
    CHECK(!advice_for(lab));
  }
}

TEST_CASE(
    "a finding: where, what happened, why it matters, what to try, and both lines of a race") {
  LabResult lab = failing_by_a_race("", 7);
  lab.checks[0].seen.aside = "7 times in all cases; 2 more findings";
  const Remark remark = only(lab);
  CHECK(remark.where ==
        "case mixed-31 (31 bytes, grid 8 x block 4); 7 times in all cases; 2 more findings");
  CHECK(remark.what == "data_race: threads 0 and 1 of block 0 both update histo[2]");
  CHECK(remark.why == why_it_matters(of_kind(FindingKind::data_race)));
  CHECK(remark.next == "Use an atomic operation");
  REQUIRE(remark.places.size() == 2);
  CHECK(remark.places[0].line == 3);
  CHECK(remark.places[1].line == 2);
  CHECK(advice_for(lab)->headline == "no_findings failed (0 of 3 points)");
}

TEST_CASE("the observed effect on a GPU replaces why it matters") {
  LabResult lab = failing_by_a_race("");
  lab.checks[0].seen.why = "on the NVIDIA H200 3 of 12 launches were wrong";
  CHECK(only(lab).what == "data_race: threads 0 and 1 of block 0 both update histo[2]");
  CHECK(only(lab).why == "on the NVIDIA H200 3 of 12 launches were wrong");
}

TEST_CASE("a hint written for the finding replaces the finding's own advice; other hints do not") {
  LabResult lab = failing_by_a_race("Look at the index.");
  CHECK(only(lab).next == "Use an atomic operation");
  lab.checks[0].hint_fits = true;
  CHECK(only(lab).next == "Look at the index.");
}

TEST_CASE("wrong counts: the cause is the reason, and the number of wrong cases follows the case") {
  LabResult lab = failing({.where = in_case + ", launch 2 of 2",
                           .what = "expected 4 in bin 1 (e-h), got 3: 25 % of the updates are lost",
                           .aside = "1 of 5 cases fails",
                           .note = "there is no factor"});
  lab.checks[0].cause = race();
  lab.checks[0].launch = 2;
  const Remark remark = only(lab);
  CHECK(remark.where ==
        "case mixed-31 (31 bytes, grid 8 x block 4), launch 2 of 2; 1 of 5 cases fails");
  CHECK(remark.what == "expected 4 in bin 1 (e-h), got 3: 25 % of the updates are lost");
  CHECK(remark.why == "data_race: threads 0 and 1 of block 0 both update histo[2]");
  CHECK(remark.next == "Use an atomic operation");
  lab.checks[0].cause.reset();
  CHECK(only(lab).what.ends_with(" are lost; there is no factor"));
  CHECK(only(lab).why.empty());
  CHECK(only(lab).next == "Look at the index.");
}

TEST_CASE("a correct but slow kernel: the line to blame is the reason") {
  const Remark remark =
      only(failing({.where = "case large (english, 64 bytes, modelled for the NVIDIA H200)",
                    .what = "30 us, the solution takes 10 us",
                    .why = "line 2: 32 sectors per load"}));
  CHECK(remark.where == "case large (english, 64 bytes, modelled for the NVIDIA H200)");
  CHECK(remark.why == "line 2: 32 sectors per load");
}

TEST_CASE(
    "a launch that took too long or crashed says so, and its own advice comes before a hint about "
    "counts") {
  const Remark remark = only(failing({.where = in_case,
                                      .what = "crashed: its process was ended by signal 11",
                                      .of_where = true,
                                      .next = "Look for a pointer gone astray"},
                                     "Is every update atomic?"));
  CHECK(remark.what == "the launch crashed: its process was ended by signal 11");
  CHECK(remark.next == "Look for a pointer gone astray");
  CHECK(remark.places.empty());
}

TEST_CASE("compile errors: three at most, each with its place and a next step") {
  LabResult lab = failing({});
  lab.status = Verdict::compile_error;
  for (int line = 1; line <= 5; ++line)
    lab.diagnostics.push_back({kernels::Severity::error, line, 2,
                               line == 1 ? "blockIdx is a triple. Write blockIdx.x" : "odd"});
  const std::optional<Advice> advice = advice_for(lab);
  REQUIRE(advice);
  CHECK(advice->headline == "does not compile");
  CHECK(advice->remarks.size() == 3);
  CHECK(advice->more == 2);
  CHECK(advice->remarks[0].what == "blockIdx is a triple");
  CHECK(advice->remarks[0].next == "Write blockIdx.x");
  CHECK(advice->remarks[0].places.front().column == 2);
  CHECK(!advice->remarks[1].next.empty());
  lab.status = Verdict::refused;
  CHECK(advice_for(lab)->headline == "the kernel was refused");
}

TEST_CASE("shows at most two compiler warnings before the failure, but none for a quiz") {
  LabResult lab = failing({.what = "wrong"});
  for (int line = 1; line <= 3; ++line)
    lab.diagnostics.push_back(
        {kernels::Severity::note, line, 1, "`=` assigns. Did you mean `==`?"});
  const std::optional<Advice> advice = advice_for(lab);
  REQUIRE(advice->remarks.size() == 3);
  CHECK(advice->remarks[0].what == "the compiler warns: `=` assigns");
  CHECK(advice->remarks[0].next == "Did you mean `==`?");
  CHECK(advice->remarks[2].what == "wrong");
  lab.checks[0].of_quiz = true;
  CHECK(advice_for(lab)->remarks.size() == 1);
}

TEST_CASE("there is always something to try") {
  CHECK(only(failing({.what = "wrong"}, "")).next ==
        "histolab hint 02-atomic-add prints a hint, histolab lesson 02-atomic-add the lesson");
  LabResult quiz = failing({.what = "0 of 8 are right"}, "");
  quiz.checks[0].of_quiz = true;
  CHECK(only(quiz).next == "histolab quiz 02-atomic-add asks the questions");
}

TEST_CASE("six lines of 80 columns, whatever a message or a hint says") {
  for (const std::size_t size : {10u, 300u, 5000u}) {
    std::string words;
    while (words.size() < size) words += "word ";
    LabResult lab = failing_by_a_race(words, 3);
    lab.checks[0].seen = {.where = in_case,
                          .what = "data_race: " + words,
                          .aside = "3 times in all cases",
                          .next = words};
    const std::optional<Advice> advice = advice_for(lab);
    REQUIRE(advice);
    CHECK(advice->shortened == (size > 10));
    const std::vector<std::string> lines = lines_of(to_text(advice->remarks.front()));
    CHECK(lines.size() <= most_advice_lines);
    CHECK(std::all_of(lines.begin(), lines.end(),
                      [](const std::string& line) { return columns(line) <= 80; }));
  }
}

TEST_CASE("as text: the source lines first, then the sentences; narrower on request") {
  const LabResult lab = failing_by_a_race("");
  const std::optional<Advice> advice = advice_for(lab);
  CHECK(to_text(*advice, *lab.submission) ==
        "  work/02.cu:3\n      3 | three\n        | ^~~~~\n"
        "  work/02.cu:2\n      2 | two\n        | ^~~\n"
        "  in case mixed-31 (31 bytes, grid 8 x block 4)\n"
        "  data_race: threads 0 and 1 of block 0 both update histo[2]\n"
        "  why: the order of threads changes from run to run, and with it the result\n"
        "  try: Use an atomic operation\n");
  for (const std::string& line : lines_of(to_text(*advice, *lab.submission, 40)))
    CHECK_MESSAGE(columns(line) <= 40, line);
}

TEST_CASE("every kind of finding that a GPU can show has a reason") {
  for (const FindingKind kind : kernels::all_finding_kinds)
    CHECK(why_it_matters(of_kind(kind)).empty() == (kind == FindingKind::unsupported));
}

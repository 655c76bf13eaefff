// Advice: the parts of a remark, what is left out where it would take too many lines, and its text at any width.
#include "grader/feedback/advice.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "grader/words/words.h"

using namespace histolab;
using namespace histolab::grader;
using kernels::Diagnostic;
using kernels::FindingKind;

namespace {

CaseResult some_case() {
  CaseResult result;
  result.id = "mixed-31", result.dataset = "mixed", result.length = 31, result.grid = 8, result.block = 4;
  return result;
}

const std::string in_case = "case mixed-31 (mixed, 31 bytes, grid 8 x block 4)";

LabResult failing(const std::string& message, const std::string& hint = "Look at the index.") {
  LabResult lab;
  lab.lab = "02-atomic-add", lab.status = Verdict::failed;
  lab.submission = Submission{};
  lab.submission->path = "work/02.cu", lab.submission->text = "one\ntwo\nthree\n";
  lab.cases = {some_case()};
  CheckResult check;
  check.id = "no_findings", check.status = CheckResult::Status::failed, check.max_score = 3;
  check.message = message, check.hint = hint;
  lab.checks = {check};
  return lab;
}

kernels::Finding race(std::uint64_t count = 1) {
  kernels::Finding finding;
  finding.kind = FindingKind::data_race, finding.line = 3, finding.other_line = 2, finding.count = count;
  finding.message = "threads 0 and 1 of block 0 both update histo[2]. Use an atomic operation";
  return finding;
}

Remark only(const LabResult& lab) {
  const std::optional<Advice> advice = advice_for(lab);
  REQUIRE(advice);
  REQUIRE(advice->remarks.size() == 1);
  return advice->remarks.front();
}

}  // namespace

TEST_CASE("who passed, did not try or met a machine that failed gets no advice") {
  for (const Verdict verdict : {Verdict::passed, Verdict::not_attempted, Verdict::infrastructure_error, Verdict::needs_review}) {
    LabResult lab = failing("wrong");
    lab.status = verdict;
    CHECK(!advice_for(lab));
  }
}

TEST_CASE("a finding: where, what happened, why it matters, what to try, and both places of a race") {
  LabResult lab = failing(in_case + ": data_race: " + race(7).message + " (seen 7 times); 2 more findings", "");
  lab.checks[0].cause = race(7), lab.checks[0].line = 3;
  const Remark remark = only(lab);
  CHECK(remark.where == "case mixed-31 (31 bytes, grid 8 x block 4), 7 times, and 2 more findings");
  CHECK(remark.what == "data_race: threads 0 and 1 of block 0 both update histo[2]");
  CHECK(remark.why == why_it_matters(FindingKind::data_race));
  CHECK(remark.next == "Use an atomic operation");
  REQUIRE(remark.places.size() == 2);
  CHECK(remark.places[0].line == 3);
  CHECK(remark.places[1].line == 2);
  CHECK(advice_for(lab)->headline == "no_findings failed (0 of 3 points)");
}

TEST_CASE("what a GPU made of it takes the place of why it matters") {
  LabResult lab = failing(in_case + ": data_race: " + race(7).message + " (seen 7 times); 2 more findings. On the NVIDIA H200 3 of 12 launches were wrong", "");
  lab.checks[0].cause = race(7);
  const Remark remark = only(lab);
  CHECK(remark.what == "data_race: threads 0 and 1 of block 0 both update histo[2]");
  CHECK(remark.why == "on the NVIDIA H200 3 of 12 launches were wrong");
  CHECK(remark.where.ends_with("7 times, and 2 more findings"));
}

TEST_CASE("a hint that is meant for the finding takes the place of the finding's own advice, another one does not") {
  LabResult lab = failing(in_case + ": data_race: " + race().message);
  lab.checks[0].cause = race();
  CHECK(only(lab).next == "Use an atomic operation");
  lab.checks[0].hint_fits = true;
  CHECK(only(lab).next == "Look at the index.");
}

TEST_CASE("wrong counts: what caused them is why, and how many cases differ stands with the case") {
  LabResult lab = failing(in_case + ", launch 2 of 2: expected 4 in bin 1 (e-h), got 3: 25 % of the updates are lost (1 of 5 cases differ)");
  lab.checks[0].cause = race();
  const Remark remark = only(lab);
  CHECK(remark.where == "case mixed-31 (31 bytes, grid 8 x block 4), launch 2 of 2, 1 of 5 cases differ");
  CHECK(remark.what == "expected 4 in bin 1 (e-h), got 3: 25 % of the updates are lost");
  CHECK(remark.why == "data_race: threads 0 and 1 of block 0 both update histo[2]");
}

TEST_CASE("a launch that took too long or crashed says so, and its own advice comes before a hint about counts") {
  for (const std::string ending : {" took too long: it was still running after 10.0 s of processor time. Look for a loop that never ends",
                                   " crashed: its process was ended by signal 11. Look for an index or a pointer gone astray"}) {
    const Remark remark = only(failing(in_case + ending, "Is every update atomic?"));
    CHECK(remark.what == "the launch" + ending.substr(0, ending.find(". Look")));
    CHECK(remark.next == ending.substr(ending.find("Look")));
    CHECK(remark.places.empty());
  }
}

TEST_CASE("compile errors: three at most, each with its place and a next step") {
  LabResult lab = failing("");
  lab.status = Verdict::compile_error;
  for (int line = 1; line <= 5; ++line) lab.diagnostics.push_back({kernels::Severity::error, line, 2, line == 1 ? "blockIdx is a triple. Write blockIdx.x" : "odd"});
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

TEST_CASE("beside what failed stands what the compiler warns of, twice at most, but not beside a quiz") {
  LabResult lab = failing("wrong");
  for (int line = 1; line <= 3; ++line) lab.diagnostics.push_back({kernels::Severity::note, line, 1, "`=` assigns. Did you mean `==`?"});
  const std::optional<Advice> advice = advice_for(lab);
  REQUIRE(advice->remarks.size() == 3);
  CHECK(advice->remarks[1].what == "the compiler warns: `=` assigns");
  CHECK(advice->remarks[1].next == "Did you mean `==`?");
  lab.checks[0].of_quiz = true;
  CHECK(advice_for(lab)->remarks.size() == 1);
}

TEST_CASE("there is always something to try") {
  CHECK(only(failing("wrong", "")).next == "histolab hint 02-atomic-add has hints, histolab lesson 02-atomic-add the lesson");
  LabResult quiz = failing("0 of 8 are right", "");
  quiz.checks[0].of_quiz = true;
  CHECK(only(quiz).next == "histolab quiz 02-atomic-add asks the questions");
}

TEST_CASE("six lines of 80 columns, whatever a message or a hint says") {
  for (const std::size_t size : {10u, 300u, 5000u}) {
    std::string words;
    while (words.size() < size) words += "word ";
    LabResult lab = failing(in_case + ": data_race: " + words + ". " + words + " (seen 3 times)", words);
    kernels::Finding finding = race(3);
    finding.message = words + ". " + words;
    lab.checks[0].cause = finding;
    const std::optional<Advice> advice = advice_for(lab);
    REQUIRE(advice);
    CHECK(advice->shortened == (size > 10));
    const std::vector<std::string> lines = lines_of(to_text(advice->remarks.front()));
    CHECK(lines.size() <= most_advice_lines);
    CHECK(std::all_of(lines.begin(), lines.end(), [](const std::string& line) { return columns(line) <= 80; }));
  }
}

TEST_CASE("as text: the source lines first, then the sentences; narrower where that is asked for") {
  LabResult lab = failing(in_case + ": data_race: " + race().message);
  lab.checks[0].cause = race(), lab.checks[0].line = 3;
  const std::optional<Advice> advice = advice_for(lab);
  CHECK(to_text(*advice, *lab.submission) ==
        "  work/02.cu:3\n      3 | three\n        | ^~~~~\n"
        "  work/02.cu:2\n      2 | two\n        | ^~~\n"
        "  in case mixed-31 (31 bytes, grid 8 x block 4)\n"
        "  data_race: threads 0 and 1 of block 0 both update histo[2]\n"
        "  why: who comes first changes from run to run, and with it the result\n"
        "  try: Use an atomic operation\n");
  for (const std::string& line : lines_of(to_text(*advice, *lab.submission, 40))) CHECK_MESSAGE(columns(line) <= 40, line);
}

TEST_CASE("every kind of finding that a GPU can show matters for a reason") {
  for (const FindingKind kind : kernels::all_finding_kinds) CHECK(why_it_matters(kind).empty() == (kind == FindingKind::unsupported));
}

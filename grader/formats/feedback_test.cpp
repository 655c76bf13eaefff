#include "grader/formats/feedback.h"

#include <doctest/doctest.h>

#include "grader/batch/shared_answers.h"
#include "grader/testing/files.h"
#include "grader/testing/sample.h"

using namespace histolab;
using namespace histolab::formats;
using grader::CheckResult;
using grader::Verdict;
using grader::testing::matches_golden;

namespace {

const std::string source = "// SECRET\n__global__ void histogram() {\n\thisto[0]++;  // <b>\n}\n";

CheckResult check_of(const std::string& id, int score, int max_score) {
  CheckResult check;
  check.id = id, check.score = score, check.max_score = max_score;
  check.status = score == max_score ? CheckResult::Status::passed : CheckResult::Status::failed;
  if (score < max_score) {
    check.seen = {.where = "case long (mixed, 41 bytes)",
                  .what = id + " is not what it should be",
                  .why = "a race",
                  .next = "use atomicAdd"};
    check.line = 3;
  }
  return check;
}

batch::Mark mark_of(const std::string& lab, Verdict status, std::vector<CheckResult> checks) {
  batch::Mark mark;
  mark.result.lab = lab, mark.result.title = "A lab", mark.result.status = status;
  mark.result.submission =
      grader::Submission{"/home/grader/" + lab + ".cu", source, std::string(64, 'a')};
  for (CheckResult& check : checks)
    mark.result.score += check.score, mark.result.max_score += check.max_score;
  mark.result.checks = std::move(checks);
  mark.score = mark.result.score;
  return mark;
}

quiz::Outcome answers(const std::string& problem) {
  quiz::Outcome outcome;
  outcome.path = "/home/grader/02-atomic-add.quiz.json", outcome.problem = problem,
  outcome.person = {"ada", 815};
  outcome.questions = {{"threads", quiz::Standing::right, "12", ""},
                       {"warps", quiz::Standing::wrong, "3", "count again"},
                       {"blocks", quiz::Standing::unanswered, "", ""}};
  return outcome;
}

Graded graded(std::vector<batch::Mark> marks) {
  Graded of;
  of.student.key = "ada", of.student.name = "Lovelace, Ada", of.marks = std::move(marks);
  return of;
}

Graded everything() {
  batch::Mark late = mark_of("02-atomic-add", Verdict::failed,
                             {check_of("matches_reference", 4, 4), check_of("no_findings", 0, 3),
                              check_of("coalesced", 1, 3)});
  late.score = 4.5, late.note = "1 day 3 h late: 10 % less, 4.5 instead of 5",
  late.result.quiz = answers("");
  batch::Mark typo =
      mark_of("03-interleaved", Verdict::compile_error, {check_of("matches_reference", 0, 10)});
  typo.result.diagnostics = {{kernels::Severity::error, 3, 9, "expected ';' after the expression"}};
  batch::Mark missing =
      mark_of("04-privatization", Verdict::not_attempted, {check_of("matches_reference", 0, 10)});
  missing.result.submission.reset(), missing.result.message = "nothing was handed in";
  return graded({mark_of("01-race", Verdict::passed, {check_of("matches_reference", 10, 10)}), late,
                 typo, missing});
}

batch::Mark under_review(const std::string& note) {
  batch::Mark mark =
      mark_of("01-race", Verdict::needs_review, {check_of("matches_reference", 0, 10)});
  mark.result.message = mark.note = note;
  return mark;
}

}  // namespace

TEST_CASE("feedback: points, the reason for each loss, the quiz, the next step") {
  const std::string text = to_feedback_text(everything());
  CHECK(matches_golden("feedback.txt", text));
  CHECK(matches_golden("feedback.html", to_feedback_html(everything())));
  for (const char* part :
       {"4.5 of 10", "1 day 3 h late", "no_findings failed (0 of 3 points)",
        "coalesced failed (1 of 3 points)", "    3 | histo[0]++;", "try: use atomicAdd",
        "1 of 3 are right", "expected ';'", "nothing was handed in",
        "    histolab start 04-privatization", "    histolab grade 02-atomic-add"})
    CHECK_MESSAGE(text.find(part) != std::string::npos, part);
  CHECK(grader::testing::fits_in_80_columns(text));
}

TEST_CASE("feedback has no path, no seed, and no line without a finding") {
  for (const std::string& text : {to_feedback_text(everything()), to_feedback_html(everything()),
                                  to_feedback_comment(everything())})
    for (const char* word : {"/home", "815", "SECRET", "quiz.json"})
      CHECK_MESSAGE(text.find(word) == std::string::npos, word);
}

TEST_CASE("a problem of the whole submission is printed once") {
  const auto times = [](const Graded& of, const std::string& words) {
    const std::string text = to_feedback_text(of);
    std::size_t count = 0;
    for (std::size_t at = text.find(words); at != std::string::npos; at = text.find(words, at + 1))
      ++count;
    return count;
  };
  Graded of = everything();
  of.problem = "nothing was handed in";
  CHECK(times(of, of.problem) == 1);
  of.problem = "a.txt belongs to no lab";
  CHECK(times(of, "your files: a.txt belongs to no lab") == 1);
}

TEST_CASE("feedback without a lost point says that nothing is left to do") {
  const std::string text = to_feedback_text(
      graded({mark_of("01-race", Verdict::passed, {check_of("matches_reference", 10, 10)})}));
  CHECK(text.find("nothing is left to do") != std::string::npos);
  CHECK(text.find("total") == std::string::npos);
}

TEST_CASE("without a mark there is no zero; the reason is shown if it is the student's own file") {
  const auto text = [](const batch::Mark& mark) { return to_feedback_text(graded({mark})); };
  batch::Mark unread = under_review("ada/a.zip cannot be read");
  unread.result.submission.reset();
  CHECK(text(unread).find("ada/a.zip cannot be read") != std::string::npos);
  for (const std::string& note :
       {std::string{"the machine failed 3 times: no room in /tmp"},
        batch::shared_answers +
            std::string{"by 2 other students as well: the same name and seed (99)"}}) {
    batch::Mark mark = under_review(note);
    CHECK(text(mark).find("costs no") != std::string::npos);
    CHECK(text(mark).find("- of 10") != std::string::npos);
    mark.result.submission.reset();
    for (const char* word : {"/tmp", "other students", "99", " 0 of"})
      CHECK_MESSAGE(text(mark).find(word) == std::string::npos, word);
  }
  batch::Mark copied = mark_of("01-race", Verdict::failed, {check_of("matches_reference", 0, 10)});
  copied.result.quiz =
      answers(batch::shared_answers +
              std::string{"by 2 other students as well: the same name and seed (99)"});
  CHECK(text(copied).find("other student") == std::string::npos);
  CHECK(text(copied).find("not decided yet") != std::string::npos);
}

TEST_CASE("a mark by hand, a weight and a lab that is not graded yet") {
  const auto text = [](const batch::Mark& mark) { return to_feedback_text(graded({mark})); };
  batch::Mark by_hand = under_review("set by hand: the file was fine");
  by_hand.by_hand = true, by_hand.score = 7, by_hand.result.message = "two files are there";
  CHECK(text(by_hand).find("set by hand         7 of 10") != std::string::npos);
  CHECK(text(by_hand).find("the file was fine") != std::string::npos);
  CHECK(text(by_hand).find("no mark") == std::string::npos);
  batch::Mark heavy = mark_of("01-race", Verdict::failed, {check_of("no_findings", 0, 10)});
  heavy.weight = 2;
  CHECK(text(heavy).find("0 of 10 x 2\n") != std::string::npos);
  batch::Mark outstanding = under_review("not graded yet: the batch was stopped, or runs");
  outstanding.outstanding = true;
  CHECK(text(outstanding).find("not graded yet") != std::string::npos);
  CHECK(text(outstanding).find("a person") == std::string::npos);
}

TEST_CASE("a student's text is escaped in each form of feedback") {
  constexpr const char* hostile = "<script>alert(\"1\")</script>\x1b[2J\xff\xe2\x80\xae&\x01";
  Graded eve = everything();
  eve.student.name = eve.problem = hostile;
  for (batch::Mark& mark : eve.marks) {
    mark.note = hostile;
    if (mark.result.submission) mark.result.submission->text = std::string{"\n\n"} + hostile + "\n";
    for (grader::CheckResult& check : mark.result.checks)
      if (check.status != CheckResult::Status::passed)
        check.seen.what = check.seen.why = check.seen.next = check.seen.where = hostile;
    mark.result.diagnostics = {{kernels::Severity::error, 3, 1, hostile}};
  }
  for (const std::string& text :
       {to_feedback_text(eve), to_feedback_html(eve), to_feedback_comment(eve)})
    for (const char* bad : {"\x1b", "\x01", "\xff", "\xe2\x80\xae"})
      CHECK_MESSAGE(text.find(bad) == std::string::npos, text);
  CHECK(to_feedback_html(eve).find("<script") == std::string::npos);
  CHECK(grader::testing::fits_in_80_columns(to_feedback_text(eve)));
}

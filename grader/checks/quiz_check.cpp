#include "grader/checks/quiz_check.h"

#include <fmt/format.h>

#include <filesystem>

#include "grader/checks/outcome.h"
#include "grader/quiz/answers.h"
#include "grader/quiz/quiz.h"
#include "grader/words/words.h"

namespace histolab::grader {

using quiz::Standing;

namespace {

void refuse_practice(const LabSpec& lab, quiz::Outcome& outcome) {
  if (outcome.problem.empty() && outcome.count(Standing::unanswered) < outcome.questions.size())
    outcome.problem = practice_note(lab, outcome.person);
}

}  // namespace

std::string described(const quiz::Outcome& outcome) {
  const std::size_t answered = outcome.count(Standing::answered);
  std::string text = outcome.has_key
                         ? fmt::format("{} of {} are right", outcome.count(Standing::right),
                                       outcome.questions.size())
                         : fmt::format("{} of {} are answered; your instructor's kit judges them",
                                       answered, outcome.questions.size());
  for (const Standing standing :
       {Standing::wrong, Standing::not_understood, Standing::gave_up, Standing::unanswered}) {
    if (const auto ids = outcome.ids(standing); !ids.empty())
      text += fmt::format("; {}: {}", in_words(name(standing)), fmt::join(ids, ", "));
  }
  return outcome.problem.empty() ? text : fmt::format("{} ({})", text, outcome.problem);
}

CheckResult judge_quiz(const CheckSpec& check, const std::optional<quiz::Outcome>& outcome) {
  CheckResult result = unjudged(check, {{.what = "the answers to the quiz were not read"}});
  result.of_quiz = true;
  if (!outcome || outcome->questions.empty()) return result;
  const std::size_t right = outcome->count(Standing::right), all = outcome->questions.size();
  const bool counts = outcome->problem.empty();
  result.score =
      counts ? static_cast<int>(static_cast<std::size_t>(check.points) * right / all) : 0;
  result.status = counts && right == all                        ? CheckResult::Status::passed
                  : outcome->count(Standing::unanswered) == all ? CheckResult::Status::not_run
                                                                : CheckResult::Status::failed;
  result.seen = {.what = described(*outcome)};
  if (result.status == CheckResult::Status::failed) result.hint = check.hint;
  return result;
}

std::string practice_note(const LabSpec& lab, const quiz::Person& person) {
  if (!lab.has_check(CheckKind::quiz) || !person.has_defaults()) return {};
  return fmt::format(
      "these answers are for the practice quiz, which is the same for all students, so they earn "
      "no points; "
      "`histolab quiz {} --new` draws your own quiz and keeps this file under another name",
      lab.name);
}

Result<std::optional<quiz::Outcome>> quiz_outcome(const LabSpec& lab, const std::string& sheet,
                                                  const std::string& measurements) {
  std::error_code failure;
  const bool answered =
      !sheet.empty() && std::filesystem::exists(sheet, failure) && quiz::has_quiz(lab.directory);
  if (!lab.has_check(CheckKind::quiz) && !answered) return std::optional<quiz::Outcome>{};
  const quiz::Quiz quiz = TRY(quiz::load_quiz(lab.directory, measurements));
  quiz::Outcome outcome =
      TRY(sheet.empty() ? quiz::solved(quiz) : quiz::outcome_of_file(quiz, sheet));
  if (!sheet.empty()) refuse_practice(lab, outcome);
  return std::optional{std::move(outcome)};
}

Result<std::optional<quiz::Outcome>> quiz_outcome(const LabSpec& lab, const std::string& path,
                                                  const std::string* text,
                                                  const std::string& measurements) {
  if (!lab.has_check(CheckKind::quiz) && (text == nullptr || !quiz::has_quiz(lab.directory)))
    return std::optional<quiz::Outcome>{};
  const quiz::Quiz quiz = TRY(quiz::load_quiz(lab.directory, measurements));
  quiz::Outcome outcome = TRY(text == nullptr ? quiz::outcome_of(quiz, quiz::Sheet{})
                                              : quiz::outcome_of_text(quiz, path, *text));
  outcome.path = path;
  if (text == nullptr) outcome.problem = fmt::format("there is no {}.quiz.json", lab.name);
  refuse_practice(lab, outcome);
  return std::optional{std::move(outcome)};
}

}  // namespace histolab::grader

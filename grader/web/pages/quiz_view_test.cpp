#include "grader/web/pages/quiz_view.h"

#include <doctest/doctest.h>

#include <filesystem>

#include "grader/quiz/answers.h"
#include "grader/quiz/judge.h"

using namespace histolab;
using namespace histolab::web;
using quiz::Standing;
namespace fs = std::filesystem;

namespace {

std::vector<quiz::Quiz> quizzes() {
  std::vector<quiz::Quiz> all;
  const fs::path kit{HISTOLAB_SOURCE_DIR};
  for (const auto& lab : fs::directory_iterator{kit / "labs"})
    if (fs::is_directory(lab.path()) && quiz::has_quiz(lab.path().string())) {
      auto loaded = quiz::load_quiz(lab.path().string(), (kit / "docs" / "measurements").string());
      REQUIRE(loaded);
      all.push_back(std::move(*loaded));
    }
  REQUIRE(all.size() > 5);
  return all;
}

quiz::QuestionResult unanswered(const quiz::Question& question) {
  quiz::QuestionResult result;
  result.id = question.id;
  return result;
}

}  // namespace

TEST_CASE("the example of each question of the course is understood, but is not the answer") {
  for (const quiz::Quiz& each : quizzes())
    for (const quiz::Question& question : each.questions) {
      CAPTURE(each.lab);
      CAPTURE(question.id);
      for (const std::uint64_t seed : {0U, 1U, 2U}) {
        const auto posed = quiz::pose(each, question, {.student = {}, .seed = seed});
        REQUIRE(posed);
        const QuestionView view = view_of(*posed, unanswered(question));
        if (question.kind == quiz::Question::Kind::choice) {
          CHECK(view.example.empty());
          continue;
        }
        REQUIRE_FALSE(view.example.empty());
        CHECK(quiz::judge(*posed, view.example).standing == Standing::wrong);
        CHECK(view.example != question.example);
      }
    }
}

TEST_CASE("the explanation appears only when the question is settled") {
  const quiz::Quiz quiz = quizzes().front();
  const auto posed = quiz::pose(quiz, quiz.questions.front(), {});
  REQUIRE(posed);
  const auto message = [&](Standing standing) {
    return view_of(*posed, {.id = "a", .standing = standing, .answer = "1", .message = "m"})
        .message;
  };
  REQUIRE_FALSE(posed->why.empty());
  CHECK(message(Standing::right) == posed->why);
  CHECK(message(Standing::gave_up) == posed->why);
  CHECK(message(Standing::wrong) == "m");
  CHECK(message(Standing::not_understood) == "m");
  CHECK(message(Standing::answered) == "m");
}

TEST_CASE("the options are the texts in the student's order, without their explanations") {
  for (const quiz::Quiz& each : quizzes())
    for (const quiz::Question& question : each.questions) {
      const auto posed = quiz::pose(each, question, {.student = "ada", .seed = 3});
      REQUIRE(posed);
      const QuestionView view = view_of(*posed, unanswered(question));
      REQUIRE(view.options.size() == posed->options.size());
      for (std::size_t i = 0; i < view.options.size(); ++i)
        CHECK(view.options[i] == posed->options[i].text);
    }
}

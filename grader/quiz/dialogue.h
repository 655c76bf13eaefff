// The quiz at a terminal: one question after another, and the same questions as a list.
//
// Readable from 40 columns on, and without colour. What is typed is anybody's; what is shown of it
// is harmless.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "grader/quiz/answers.h"
#include "grader/quiz/quiz.h"
#include "reference/result.h"

namespace histolab::quiz {

struct Screen {
  std::size_t width = 80;  // columns, 40 at least
  bool color = false;
};

struct Talk {
  Screen screen;
  std::function<std::optional<std::string>()>
      hear;  // a line, without its newline; none: there will be no more
  std::function<Status(const std::string&)> say;
  std::function<Status(const Sheet&)> keep;  // after each answer
};

// Asks what is not answered right yet. False: the student ended it. Error: something could not be
// said or kept.
[[nodiscard]] Result<bool> hold(const Quiz& quiz, Sheet& sheet, const Talk& talk);

// "03-interleaved: 8 questions, 2 right, 1 wrong, 5 unanswered".
[[nodiscard]] std::string headline(const std::string& lab, const Outcome& outcome,
                                   const Screen& screen);
// All questions with ids and how they stand.
[[nodiscard]] Result<std::string> listing(const Quiz& quiz, const Sheet& sheet,
                                          const Screen& screen);
// "final-values: right. WHY": what is said of one answer.
[[nodiscard]] std::string said_of(const Posed& question, const QuestionResult& result,
                                  const Screen& screen);

// `histolab quiz --json`: docs/quizzes.md.
[[nodiscard]] Result<nlohmann::ordered_json> state_of(const Quiz& quiz, const Sheet& sheet);

}  // namespace histolab::quiz

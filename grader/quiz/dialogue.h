// The quiz in a terminal: asks one question after another, or lists them.
//
// It works from 40 columns on, also without colour. Input is untrusted: it is cleaned before it is
// printed.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "grader/quiz/answers.h"
#include "grader/quiz/quiz.h"
#include "reference/result.h"

namespace histolab::quiz {

struct Screen {
  std::size_t width = 80;  // at least 40
  bool color = false;
};

struct Terminal {
  Screen screen;
  // Returns the next line without its newline, or nullopt at the end of input.
  std::function<std::optional<std::string>()> read_line;
  std::function<Status(const std::string&)> print;
  std::function<Status(const Sheet&)> save;  // called after each answer
};

// Asks all questions that are not yet answered right. Returns false if the student stopped early.
// Returns an Error if reading, printing or saving fails.
[[nodiscard]] Result<bool> run_dialogue(const Quiz& quiz, Sheet& sheet, const Terminal& terminal);

// Returns "03-interleaved: 8 questions, 2 right, 1 wrong, 5 unanswered".
[[nodiscard]] std::string headline(const std::string& lab, const Outcome& outcome,
                                   const Screen& screen);
// Returns all questions with their ids and their states.
[[nodiscard]] Result<std::string> listing(const Quiz& quiz, const Sheet& sheet,
                                          const Screen& screen);
// Returns the reply to one answer: "final-values: right. WHY".
[[nodiscard]] std::string reply_to(const Posed& question, const QuestionResult& result,
                                   const Screen& screen);

// Returns the JSON for `histolab quiz --json` (docs/quizzes.md).
[[nodiscard]] Result<nlohmann::ordered_json> state_of(const Quiz& quiz, const Sheet& sheet);

}  // namespace histolab::quiz

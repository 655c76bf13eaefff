// Quiz: the contents of a lab's quiz.json; Posed: one of its questions as one student sees it.
// docs/quizzes.md describes the format, and what load_quiz guarantees for the default numbers.
// check_drawn_questions() checks drawn numbers.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "grader/files/json_reader.h"
#include "grader/quiz/expression.h"
#include "grader/quiz/measured.h"
#include "grader/quiz/outcome.h"
#include "grader/quiz/quantity.h"
#include "reference/result.h"

namespace histolab::quiz {

struct Option {
  std::string text;
  // The explanation for students who choose a wrong option; empty for the right one.
  std::string why;
  bool right = false;
  // The keys of this option's row, for a measured question.
  Json row;
};

struct Misconception {
  Json answer;
  std::string why;
};

struct Question {
  enum class Kind { number, set, choice };
  std::string id, text, why;
  std::vector<std::string> code;  // lines, shown as they are
  Kind kind = Kind::number;
  std::vector<std::pair<std::string, std::vector<Value>>> draw;  // the first of each is the default
  // Computed from the drawn values, ordered by their dependencies.
  std::vector<std::pair<std::string, Json>> values;
  Unit unit;
  double tolerance = 0;  // of the right number; 0 means nine digits
  // An expression; for a choice null, or the measurement.
  Json answer;
  std::string example;
  std::vector<Misconception> misconceptions;
  std::vector<Option> options;
  bool shuffled = true;
  bool has_key = true;  // false if the file does not say which answer is right
  // Complete alternatives, one of which is drawn per person. If empty, the question is the same for
  // all. The first one is the default and equals the question itself.
  std::vector<Question> variants;
};
[[nodiscard]] std::string_view name(Question::Kind kind);

struct Quiz {
  std::string lab, file;
  bool has_key = true;  // false in a student edition, for all questions
  std::vector<Question> questions;
  std::shared_ptr<Measurements> measurements;
  // Returns null if there is no such question.
  [[nodiscard]] const Question* find(const std::string& id) const;
};

struct Posed {
  const Question* question = nullptr;  // owned by the quiz, which must outlive this
  std::string text, why;
  std::vector<std::string> code;
  Value key;  // not used for a choice
  struct Wrong {
    Value value;
    std::string why;
  };
  std::vector<Wrong> misconceptions;  // only those that differ from the key for these numbers
  std::vector<Option> options;        // in display order: a, b, c, ...

  // Returns the right answer in the usual notation, or the letter of a choice. Requires a key.
  [[nodiscard]] std::string answer() const;
};

// Loads the quiz of the lab in `folder`. The Error has file and line of a syntax error, or file,
// JSON pointer and the problem.
[[nodiscard]] Result<Quiz> load_quiz(const std::string& folder, const std::string& measurements);
// The schema of a quiz.json without answers, in a student edition.
inline constexpr std::string_view questions_schema = "histolab/questions/1";
// Returns true if the lab has a quiz.
[[nodiscard]] bool has_quiz(const std::string& folder);

[[nodiscard]] Result<Posed> pose(const Quiz& quiz, const Question& question, const Person& person);

// Poses all questions to many people and checks that the computed answer, written as text, is
// judged right. Returns an Error with question and person if it is not, or for a misconception
// whose answer is never wrong.
[[nodiscard]] Status check_drawn_questions(const Quiz& quiz);

}  // namespace histolab::quiz

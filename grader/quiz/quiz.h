// Quiz: what quiz.json asks about one lab, as a value; and Posed: one of its questions as one
// student sees it. docs/quizzes.md is the format.
//
// A Quiz that load_quiz returned always holds, with its default numbers: each answer can be
// computed, its `example` is judged right and so is the computed answer written as text; each
// misconception's answer differs from the others' and, where nothing is drawn, from the right one;
// a choice has exactly one right option, and all its options differ as answers. The right option of
// one variant is not right in another. proved() goes through drawn numbers.
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
  std::string why;  // what whoever takes a wrong one is told; empty of the right one
  bool right = false;
  Json row;  // of a measured question: the keys that tell this option's row
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
  std::vector<std::pair<std::string, Json>>
      values;  // computed from the drawn ones, in an order in which that works
  Unit unit;
  double tolerance = 0;  // of the right number; 0: to nine digits
  Json answer;           // an expression; of a choice null, or what is measured
  std::string example;
  std::vector<Misconception> misconceptions;
  std::vector<Option> options;
  bool shuffled = true;
  bool has_key = true;  // false: nothing here says which answer is right
  // One of them is drawn per person; each is complete. Empty: the question is the same for all. The
  // first one is the default, and the question itself equals it.
  std::vector<Question> variants;
};
[[nodiscard]] std::string_view name(Question::Kind kind);

struct Quiz {
  std::string lab, file;
  bool has_key = true;  // false: in a student edition, for all questions
  std::vector<Question> questions;
  std::shared_ptr<Measurements> measurements;
  [[nodiscard]] const Question* find(const std::string& id) const;  // null: there is none
};

struct Posed {
  const Question* question = nullptr;  // of the quiz, which outlives it
  std::string text, why;
  std::vector<std::string> code;
  Value key;  // not of a choice
  struct Wrong {
    Value value;
    std::string why;
  };
  std::vector<Wrong> misconceptions;  // those that differ from the key for these numbers
  std::vector<Option> options;        // in the order in which they are shown: a, b, c, ...

  // The right answer as a person would write it. Of a choice: its letter. Only of a question with a
  // key.
  [[nodiscard]] std::string answer() const;
};

// `folder` is the lab's. Error: the file and line of a syntax error; the file, the JSON pointer and
// what is wrong there.
[[nodiscard]] Result<Quiz> load_quiz(const std::string& folder, const std::string& measurements);
// The schema of a quiz.json without answers, as a student edition has it.
inline constexpr std::string_view questions_schema = "histolab/questions/1";
// Whether the lab has one at all.
[[nodiscard]] bool has_quiz(const std::string& folder);

[[nodiscard]] Result<Posed> pose(const Quiz& quiz, const Question& question, const Person& person);

// Poses everything to many people and answers it with what is computed, written as text. Error: the
// question and the person for whom that is not judged right; a misconception whose answer is never
// a wrong one.
[[nodiscard]] Status proved(const Quiz& quiz);

}  // namespace histolab::quiz

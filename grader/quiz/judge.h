// Judges one answer, an untrusted text, to one posed question.
#pragma once

#include <string>

#include "grader/quiz/quiz.h"

namespace histolab::quiz {

struct Judgement {
  Standing standing = Standing::unanswered;
  // If right: the reason. If wrong: the explanation, if the answer follows from a known
  // misconception. If not understood: the expected form. If answered: that a kit with the key
  // judges it. A message contains the right answer only if the answer was right.
  std::string message;
};

inline constexpr std::size_t max_answer_bytes = 400;

// Judges a text. A blank text counts as unanswered.
[[nodiscard]] Judgement judge(const Posed& question, const std::string& answer);

// Returns the normalized answer. Blanks, parentheses, dots, backquotes and case do not matter for a
// choice.
[[nodiscard]] std::string plain(const std::string& text);

// Returns the answer as it is stored in the file of answers. Without a key, a choice is stored as
// the option's text, because a kit with the key may order the options differently.
[[nodiscard]] std::string stored_answer(const Posed& question, const std::string& answer);

// Returns true if the values are equal within the question's tolerance.
[[nodiscard]] bool same(const Value& a, const Value& key, double tolerance);

}  // namespace histolab::quiz

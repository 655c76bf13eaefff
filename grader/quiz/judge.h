// Judging one answer: a text that anybody may have typed, against one posed question.
#pragma once

#include <string>

#include "grader/quiz/quiz.h"

namespace histolab::quiz {

struct Judgement {
  Standing standing = Standing::unanswered;
  // Right: why. Wrong: what is behind it, where the answer is one that comes of a known
  // misconception. Not understood: what was expected. It never holds the right answer but where the
  // answer was right. Answered: that a kit with the key judges it.
  std::string message;
};

inline constexpr std::size_t max_answer_bytes = 400;

// A blank text is unanswered; no text is an error.
[[nodiscard]] Judgement judge(const Posed& question, const std::string& answer);

// The part of an answer that counts: a choice takes an option's text with any blanks, parentheses,
// dots, backquotes and capital letters.
[[nodiscard]] std::string plain(const std::string& text);

// The answer as a file of answers keeps it. Without a key a choice keeps the option's text: a
// letter depends on the order of the options, and a kit with the key may have another order.
[[nodiscard]] std::string kept_answer(const Posed& question, const std::string& answer);

// Whether two values are the same, as far as the question's tolerance goes.
[[nodiscard]] bool same(const Value& a, const Value& key, double tolerance);

}  // namespace histolab::quiz

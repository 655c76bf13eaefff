// Outcome: the state of a student's answers to one quiz, as plain values for reports. It never
// contains right answers.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace histolab::quiz {

// The student, who determines what is drawn. Without a name and with seed 0, it is the default quiz
// for practice.
struct Person {
  std::string student;
  std::uint64_t seed = 0;
  [[nodiscard]] bool has_defaults() const { return student.empty() && seed == 0; }
  bool operator==(const Person&) const = default;
};

// `answered` means that this kit has no answer key, so another kit judges the answer.
enum class Standing { unanswered, not_understood, wrong, right, gave_up, answered };
[[nodiscard]] std::string_view name(Standing standing);

struct QuestionResult {
  std::string id;
  Standing standing = Standing::unanswered;
  std::string answer;  // as it was written; may be empty
  // The explanation or the reason why it does not count; empty if it is right.
  std::string message;
};

struct Outcome {
  std::string path;     // of the answers' file; may be empty
  std::string problem;  // why none of the answers count; empty if they do
  Person person;
  std::vector<QuestionResult> questions;  // in the order of the quiz
  bool has_key = true;                    // of the quiz; without a key, answers are only stored
  [[nodiscard]] std::size_t count(Standing standing) const;
  [[nodiscard]] std::vector<std::string> ids(Standing standing) const;
};

}  // namespace histolab::quiz

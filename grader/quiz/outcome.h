// Outcome: how one student's answers to one quiz stand. Plain values, for reports; without any
// right answer in it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace histolab::quiz {

// Who answers: what is drawn follows from it. No name and seed 0: the default quiz, for practice.
struct Person {
  std::string student;
  std::uint64_t seed = 0;
  [[nodiscard]] bool has_defaults() const { return student.empty() && seed == 0; }
  bool operator==(const Person&) const = default;
};

// `answered`: the quiz has no answer key here, so another kit judges what was answered.
enum class Standing { unanswered, not_understood, wrong, right, gave_up, answered };
[[nodiscard]] std::string_view name(Standing standing);

struct QuestionResult {
  std::string id;
  Standing standing = Standing::unanswered;
  std::string answer;   // as it was written; empty: none
  std::string message;  // not of a right one: what is behind it, or why it does not count
};

struct Outcome {
  std::string path;     // of the answers' file; empty: none was needed
  std::string problem;  // why nothing in it counts; empty: it counts
  Person person;
  std::vector<QuestionResult> questions;  // in the quiz's order
  bool has_key = true;                    // of the quiz; without it answers are only kept
  [[nodiscard]] std::size_t count(Standing standing) const;
  [[nodiscard]] std::vector<std::string> ids(Standing standing) const;
};

}  // namespace histolab::quiz

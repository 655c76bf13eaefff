// Sheet: what a student answered, kept as work/<LAB>.quiz.json; and how it stands against the quiz.
//
// A sheet is the text that was typed, never a verdict: it is judged anew each time. It is read as
// what it is, a file that anybody may have written: sizes are limited, each value is checked, and
// what is wrong with one answer is told of that answer. Writing leaves the old file or the new one,
// whole (grader/files/write_file.h).
#pragma once

#include <map>
#include <optional>
#include <string>

#include "grader/quiz/outcome.h"
#include "grader/quiz/quiz.h"
#include "reference/result.h"

namespace histolab::quiz {

struct Answer {
  std::string text;
  std::uint64_t wrong_tries = 0;
  bool gave_up = false;
};

struct Sheet {
  Person person;
  std::map<std::string, Answer>
      answers;  // by the question's id; perhaps of questions that are no more
  std::map<std::string, std::string> refused;  // ids whose entry was no answer, and why
};

inline constexpr std::size_t max_student_bytes = 100;
// Error: what is wrong with it; it is to be shown and hashed. Empty is fine.
[[nodiscard]] Status check_student(const std::string& name);

// None: there is no such file. Error: a sentence that says why it is no sheet of this lab.
[[nodiscard]] Result<std::optional<Sheet>> read_sheet(const std::string& path,
                                                      const std::string& lab);
// Of a file's text that is at hand already.
[[nodiscard]] Result<Sheet> sheet_of(const std::string& path, const std::string& text,
                                     const std::string& lab);
// Makes the folder.
[[nodiscard]] Status write_sheet(const std::string& path, const std::string& lab,
                                 const Sheet& sheet);

// `folder`/<LAB>.quiz.json; where that is not there but <LAB>/quiz.json is: that.
[[nodiscard]] std::string sheet_in(const std::string& folder, const std::string& lab);
// "ada.cu": "ada.quiz.json".
[[nodiscard]] std::string sheet_beside(const std::string& kernel);

[[nodiscard]] QuestionResult judged(const Posed& question, const Sheet& sheet);
// Error: the quiz's own fault.
[[nodiscard]] Result<Outcome> outcome_of(const Quiz& quiz, const Sheet& sheet);
// The same of a file; what is wrong with it is the outcome's problem, and then everything is
// unanswered.
[[nodiscard]] Result<Outcome> outcome_of_file(const Quiz& quiz, const std::string& path);
[[nodiscard]] Result<Outcome> outcome_of_text(const Quiz& quiz, const std::string& path,
                                              const std::string& text);
// Of a quiz answered by itself: each question with its computed answer as text.
[[nodiscard]] Result<Outcome> solved(const Quiz& quiz);

}  // namespace histolab::quiz

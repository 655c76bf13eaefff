// Sheet: a student's answers, stored as work/<LAB>.quiz.json, and their judgement.
//
// A sheet holds the typed text and never a verdict, so answers are judged again each time. The file
// is untrusted input: sizes are limited and each value is checked. A problem with one answer
// concerns only that answer. Writing replaces the file atomically (grader/files/write_file.h).
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
  // By the question's id. Some of the questions may no longer exist.
  std::map<std::string, Answer> answers;
  std::map<std::string, std::string> refused;  // invalid entries: the id and the reason
};

inline constexpr std::size_t max_student_bytes = 100;
// Returns an Error if a student's name cannot be printed and hashed. An empty name is valid.
[[nodiscard]] Status check_student(const std::string& name);

// Returns nullopt if the file does not exist. Returns an Error with the reason if it is not a sheet
// of this lab.
[[nodiscard]] Result<std::optional<Sheet>> read_sheet(const std::string& path,
                                                      const std::string& lab);
// The same for text that is already read.
[[nodiscard]] Result<Sheet> sheet_of(const std::string& path, const std::string& text,
                                     const std::string& lab);
// Writes the sheet, and makes the folder if needed.
[[nodiscard]] Status write_sheet(const std::string& path, const std::string& lab,
                                 const Sheet& sheet);

// Returns `folder`/<LAB>.quiz.json, or <LAB>/quiz.json if only that one exists.
[[nodiscard]] std::string sheet_in(const std::string& folder, const std::string& lab);
// Returns "ada.quiz.json" for "ada.cu".
[[nodiscard]] std::string sheet_next_to(const std::string& kernel);

[[nodiscard]] QuestionResult judged(const Posed& question, const Sheet& sheet);
// Judges a typed answer and stores it in the sheet. A text that is not understood is not stored,
// and a blank one removes the stored answer. After giving up, no further answer counts.
QuestionResult give_answer(Sheet& sheet, const Posed& question, const std::string& text);
// Judges the answers. Returns an Error if the quiz itself is invalid.
[[nodiscard]] Result<Outcome> outcome_of(const Quiz& quiz, const Sheet& sheet);
// The same for a file. If the file is invalid, the outcome has the problem, and all questions are
// unanswered.
[[nodiscard]] Result<Outcome> outcome_of_file(const Quiz& quiz, const std::string& path);
[[nodiscard]] Result<Outcome> outcome_of_text(const Quiz& quiz, const std::string& path,
                                              const std::string& text);
// Answers each question with its computed answer, written as text.
[[nodiscard]] Result<Outcome> solved(const Quiz& quiz);

}  // namespace histolab::quiz

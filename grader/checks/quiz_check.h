// The check `quiz`: points for the lab's quiz questions that are answered right.
//
// It depends on the answers only. A missing kernel, or one that does not compile, costs nothing
// here.
#pragma once

#include <optional>
#include <string>

#include "grader/lab/lab.h"
#include "grader/quiz/outcome.h"
#include "grader/report/report.h"
#include "reference/result.h"

namespace histolab::grader {

// Gives points * right / questions, rounded down. The check passes if all answers are right, and is
// not run if none is given. Answers with a problem earn nothing.
[[nodiscard]] CheckResult judge_quiz(const CheckSpec& check,
                                     const std::optional<quiz::Outcome>& outcome);

// Returns why this person's answers earn no points and what to do: the default quiz is for
// practice. Returns an empty string if they count, or if the lab gives no points for its quiz.
[[nodiscard]] std::string practice_note(const LabSpec& lab, const quiz::Person& person);

// Returns how the answers to the lab's quiz stand, or nullopt if the lab has no quiz check and
// there are no answers. `sheet` is the file of answers; if it is empty, all answers count as right,
// as for solutions. `measurements` is a folder. Returns an Error if the quiz itself is invalid.
[[nodiscard]] Result<std::optional<quiz::Outcome>> quiz_outcome(const LabSpec& lab,
                                                                const std::string& sheet,
                                                                const std::string& measurements);

// The same for answers that are already read. `text` is null if there are no answers. `path` is
// used in messages.
[[nodiscard]] Result<std::optional<quiz::Outcome>> quiz_outcome(const LabSpec& lab,
                                                                const std::string& path,
                                                                const std::string* text,
                                                                const std::string& measurements);

// Returns, for example, "6 of 8 are right; wrong: a, b; unanswered: c".
[[nodiscard]] std::string described(const quiz::Outcome& outcome);

}  // namespace histolab::grader

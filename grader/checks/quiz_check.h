// The check `quiz`: points for the questions of the lab's quiz that are answered right.
//
// It depends on the answers alone, not on the kernel: a kernel that does not compile, or is not
// there, costs nothing here.
#pragma once

#include <optional>
#include <string>

#include "grader/lab/lab.h"
#include "grader/quiz/outcome.h"
#include "grader/report/report.h"
#include "reference/result.h"

namespace histolab::grader {

// points * right / questions, rounded down; passed when all are right, not run when none is
// answered. Answers with a problem earn nothing.
[[nodiscard]] CheckResult judge_quiz(const CheckSpec& check,
                                     const std::optional<quiz::Outcome>& outcome);

// Why the answers of this person earn no points, and what to do: the default quiz is for practice.
// Empty: they do, or the lab has no points for them.
[[nodiscard]] std::string practice_note(const LabSpec& lab, const quiz::Person& person);

// How the answers to the lab's quiz stand; none: the lab does not check it, and nobody answered.
// `sheet`: their file; empty: it counts as answered right, as solutions do. `measurements`: the
// folder. Error: the quiz's own fault.
[[nodiscard]] Result<std::optional<quiz::Outcome>> quiz_outcome(const LabSpec& lab,
                                                                const std::string& sheet,
                                                                const std::string& measurements);

// The same where the answers' text is at hand: null, nobody answered. `path` is for messages.
[[nodiscard]] Result<std::optional<quiz::Outcome>> quiz_outcome(const LabSpec& lab,
                                                                const std::string& path,
                                                                const std::string* text,
                                                                const std::string& measurements);

// "6 of 8 are right; wrong: a, b; unanswered: c".
[[nodiscard]] std::string described(const quiz::Outcome& outcome);

}  // namespace histolab::grader

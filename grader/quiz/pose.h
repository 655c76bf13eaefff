// Poses a question: draws its numbers for one person, computes the values that follow, and inserts
// them into the texts. quiz_json.cpp uses it to check a quiz with its default numbers, and pose()
// of quiz.h uses it for students.
#pragma once

#include <optional>
#include <string>

#include "grader/files/json_reader.h"
#include "grader/quiz/quiz.h"

namespace histolab::quiz {

// Poses this question or variant itself, without drawing one of its variants. `pointer` is its
// position in the file. `problems` must be empty. Returns nullopt if it adds a problem.
[[nodiscard]] std::optional<Posed> posed(const Quiz& quiz, const Question& question,
                                         const Person& person, const std::string& pointer,
                                         grader::Problems& problems);

}  // namespace histolab::quiz

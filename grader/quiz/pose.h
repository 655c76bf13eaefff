// Posing: drawing a question's numbers for one person, computing what follows from them, and
// putting them into the texts. Between quiz_json.cpp, which checks a quiz with its default numbers,
// and pose() of quiz.h.
#pragma once

#include <optional>
#include <string>

#include "grader/files/json_reader.h"
#include "grader/quiz/quiz.h"

namespace histolab::quiz {

// Poses this question itself, or this variant, and draws none of its variants. `pointer` is its
// position in the file. `problems` is empty at first; none: it is no more.
[[nodiscard]] std::optional<Posed> posed(const Quiz& quiz, const Question& question,
                                         const Person& person, const std::string& pointer,
                                         grader::Problems& problems);

}  // namespace histolab::quiz

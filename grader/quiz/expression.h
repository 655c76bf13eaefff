// Expressions: the numbers in quiz.json. An expression is a number, the name of a value, a call of
// a model, or a measurement (docs/quizzes.md, "Expressions").
#pragma once

#include <map>
#include <optional>
#include <string>

#include "grader/files/json_reader.h"
#include "grader/quiz/measured.h"
#include "grader/quiz/models.h"

namespace histolab::quiz {

using Names = std::map<std::string, Value>;

// Returns the value. Returns nullopt and adds a problem with its JSON pointer if there is none.
[[nodiscard]] std::optional<Value> evaluate(const Json& expression, const std::string& pointer,
                                            const Names& names, Measurements& measurements,
                                            grader::Problems& problems);

// Returns true if all names in it are among `names`.
[[nodiscard]] bool can_be_evaluated(const Json& expression, const Names& names);

}  // namespace histolab::quiz

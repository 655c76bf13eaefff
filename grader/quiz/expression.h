// Expressions: how quiz.json says what a number is. One of
//
//   8                                                       a number
//   "latency"                                               a name: drawn, or one of the question's
//   `values`
//   {"model": "updates_per_second", "latency_ns": 100}      a model; its arguments are expressions
//   {"measured": "h200-bench", "field": "elements_per_s", "where": {...}}     what one row of
//   measurements says
#pragma once

#include <map>
#include <optional>
#include <string>

#include "grader/files/json_reader.h"
#include "grader/quiz/measured.h"
#include "grader/quiz/models.h"

namespace histolab::quiz {

using Names = std::map<std::string, Value>;

// None: there is a problem, which was added with its JSON pointer.
[[nodiscard]] std::optional<Value> evaluate(const Json& expression, const std::string& pointer,
                                            const Names& names, Measurements& measurements,
                                            grader::Problems& problems);

// Whether all names in it are among `names`.
[[nodiscard]] bool can_be_evaluated(const Json& expression, const Names& names);

}  // namespace histolab::quiz

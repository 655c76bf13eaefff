// Finds numbers in a lesson that should be placeholders, because they were measured.
//
// It checks the cells of tables, and all text under headings such as "On real hardware".
// docs/lessons.md lists the numbers that are allowed.
#pragma once

#include <string_view>
#include <vector>

#include "grader/lessons/page.h"

namespace histolab::grader::lessons {

[[nodiscard]] std::vector<PageProblem> typed_numbers(std::string_view source);

}  // namespace histolab::grader::lessons

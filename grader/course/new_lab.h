// A lab from the template: everything that `histolab check` asks for is there, but for what only
// its author knows. Those places are marked `TODO(author): ...`, and check names each of them until
// it is written.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "grader/lab/course_problem.h"
#include "grader/lab/lab.h"
#include "reference/result.h"

namespace histolab::grader {

// Makes `labs`/NN-slug from the folder `from`, NN one more than the highest number there is, and
// returns its path. Error: the slug is none (small letters, digits and dashes), there is a lab of
// that name, the folder cannot be written; then nothing is left behind.
[[nodiscard]] Result<std::string> new_lab(const std::string& from, const std::string& labs,
                                          std::string_view slug);

// What is still to be written in the lab's own pages and data, one entry a place.
[[nodiscard]] std::vector<CourseProblem> unwritten(const LabSpec& lab);

}  // namespace histolab::grader

// Makes a lab from the template. The lab has everything that `histolab check` asks for, except
// facts that only its author knows. Their places are marked `TODO(author): ...`, and check names
// each of them until it is written.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "grader/lab/course_problem.h"
#include "grader/lab/lab.h"
#include "reference/result.h"

namespace histolab::grader {

// Makes `labs`/NN-slug from the folder `from` and returns its path. NN is one more than the highest
// number. Returns an Error if the slug is invalid (lower-case letters, digits and dashes), a lab
// has this name, or the folder cannot be written. An Error leaves no files behind.
[[nodiscard]] Result<std::string> new_lab(const std::string& from, const std::string& labs,
                                          std::string_view slug);

// The unwritten places in the lab's own pages and data, one entry per place.
[[nodiscard]] std::vector<CourseProblem> unwritten(const LabSpec& lab);

}  // namespace histolab::grader

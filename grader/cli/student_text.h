// The formats for one student, as `grade` and `export` offer them, and the names of those for a class, which only `export` has.
#pragma once

#include <array>
#include <string>

#include "grader/formats/graded.h"
#include "reference/result.h"

namespace histolab::cli {

inline constexpr std::array student_formats = {"gradescope", "prairielearn", "exercism", "classroom50", "junit"};
inline constexpr std::array class_formats = {"csv", "canvas"};
[[nodiscard]] bool is_student_format(const std::string& format);

// Whether student_text could work, found out before an hour of grading. Error: what the environment lacks for classroom50.
[[nodiscard]] Status check_student_format(const std::string& format);
// Error: as above; or there is no score, and the format cannot say that.
[[nodiscard]] Result<std::string> student_text(const std::string& format, const formats::Graded& graded);

}  // namespace histolab::cli

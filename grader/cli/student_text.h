// The formats for one student that `grade` and `export` offer. student_text.cpp has the only list
// of them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "grader/formats/graded.h"
#include "reference/result.h"

namespace histolab::cli {

struct StudentFormat {
  const char* name;
  const char* ending;  // file extension
  // Returns an Error if the score is missing and the format cannot express that, or if `possible`
  // fails.
  Result<std::string> (*text)(const formats::Graded& graded);
  // Checks, before an hour of grading, whether `text` can work. The Error names what the
  // environment lacks.
  Status (*possible)();
};

// Returns null if no format has that name.
[[nodiscard]] const StudentFormat* student_format(std::string_view name);

// The values of --format. For `grade` they choose the output. For `export` the formats for a whole
// class come first.
[[nodiscard]] std::vector<std::string> grade_formats();
[[nodiscard]] std::vector<std::string> export_formats();

}  // namespace histolab::cli

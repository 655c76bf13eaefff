// The formats for one student, as `grade` and `export` offer them: the list in student_text.cpp is
// the only one.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "grader/formats/graded.h"
#include "reference/result.h"

namespace histolab::cli {

struct StudentFormat {
  const char* name;
  const char* ending;  // of a file of it
  // Error: there is no score, and the format cannot say that; or what `possible` says.
  Result<std::string> (*text)(const formats::Graded& graded);
  // Whether `text` could work, found out before an hour of grading. Error: what the environment
  // lacks.
  Status (*possible)();
};

// Null: there is none of that name.
[[nodiscard]] const StudentFormat* student_format(std::string_view name);

// Every word that --format takes: `grade`'s are what it prints, `export`'s begin with those for a
// whole class.
[[nodiscard]] std::vector<std::string> grade_formats();
[[nodiscard]] std::vector<std::string> export_formats();

}  // namespace histolab::cli

// The formats of `export` for a class: tables, pages of feedback, archives of them, Moodle's
// grading worksheet. docs/formats.md describes their use.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "grader/batch/class_results.h"
#include "grader/formats/graded.h"
#include "reference/result.h"

namespace histolab::cli {

using TakeStudent = std::function<Status(const formats::Graded& student)>;
// Calls `take` once per student. It may be called again.
using EachStudent = std::function<Status(const TakeStudent& take)>;

// The results, and the options of `export` as given.
struct ClassOutput {
  std::string format, output, worksheet;
  std::vector<std::string> columns;
  std::vector<batch::Lab> labs;
  std::size_t students = 0;
  EachStudent each;
};
// Returns the exit code: 1 if a student has no place in the file. It names these students on the
// standard error.
using WriteClass = Result<int> (*)(const ClassOutput& of);

[[nodiscard]] bool is_folder(const std::string& path);  // exists, or ends in a slash

[[nodiscard]] Result<int> write_csv(const ClassOutput& of);
[[nodiscard]] Result<int> write_canvas(const ClassOutput& of);
[[nodiscard]] Result<int> write_junit(const ClassOutput& of);
// Writes KEY.html and KEY.txt per student into a folder, or one student's feedback to a file or the
// standard output ("-"): a page if the file's name ends in .html.
[[nodiscard]] Result<int> write_feedback(const ClassOutput& of);
[[nodiscard]] Result<int> write_moodle(const ClassOutput& of);
[[nodiscard]] Result<int> write_moodle_feedback(const ClassOutput& of);
[[nodiscard]] Result<int> write_canvas_feedback(const ClassOutput& of);

}  // namespace histolab::cli

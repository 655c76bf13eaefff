// Formats: results as other systems read them. One file each, pure functions from values to text; docs/formats.md says what each
// field is and where its system documents it.
//
// Nothing in a text depends on the time of day or on how long something took. No string of a student's becomes markup, a formula,
// or a field of its own.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "grader/batch/class_results.h"
#include "grader/formats/graded.h"
#include "reference/result.h"

namespace histolab::formats {

// ---- of one student ----
[[nodiscard]] std::string to_gradescope(const Graded& graded);
[[nodiscard]] std::string to_prairielearn(const Graded& graded);
[[nodiscard]] std::string to_exercism(const Graded& graded);

// What only Classroom 50's runner knows; it tells it in its autograder's environment.
struct Classroom50 {
  std::string classroom, assignment, assignment_type, owner, submission, commit, release, review;
  std::string datetime;  // "2026-06-01T14:32:05Z"
};
// Of the variables CLASSROOM, ASSIGNMENT, ... `now` is for a tag that has no time in it. Error: which are missing.
[[nodiscard]] Result<Classroom50> classroom50_of(const std::map<std::string, std::string>& environment, const std::string& now);
// Error: there is no score, which this format cannot say; its runner reports an autograder that fails as an error and takes no mark from it.
[[nodiscard]] Result<std::string> to_classroom50(const Graded& graded, const Classroom50& where);

// ---- of one student or of several ----
[[nodiscard]] std::string to_junit(const std::vector<Graded>& students);

// ---- of a class ----
struct ClassTable {
  std::vector<batch::Lab> labs;
  std::vector<Graded> students;  // marks in the order of `labs`
};
[[nodiscard]] ClassTable table_of(const batch::ClassResults& results);
// The class of one whose report this is.
[[nodiscard]] ClassTable table_of(const grader::Report& report, const std::string& student);

// A row a student (the key), a column a lab with what counts, then the total. Without a mark, a cell is empty, and the total with it.
[[nodiscard]] std::string to_csv(const ClassTable& table);
// A grade book for Canvas to import. `columns`: what its columns are called, by lab, such as "Lab 1 (4711)"; else "NAME TITLE".
[[nodiscard]] std::string to_canvas(const ClassTable& table, const std::map<std::string, std::string>& columns);

}  // namespace histolab::formats

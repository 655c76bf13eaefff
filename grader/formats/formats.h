// Formats: results as other systems read them. One file each, pure functions from values to text;
// docs/formats.md says what each field is and where its system documents it.
//
// Nothing in a text depends on the time of day or on how long something took. No string of a
// student's becomes markup, a formula, or a field of its own.
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
// Of the variables CLASSROOM, ASSIGNMENT, ... `now` is for a tag that has no time in it. Error:
// which are missing.
[[nodiscard]] Result<Classroom50> classroom50_of(
    const std::map<std::string, std::string>& environment, const std::string& now);
// Error: there is no score, which this format cannot say; its runner reports an autograder that
// fails as an error and takes no mark from it.
[[nodiscard]] Result<std::string> to_classroom50(const Graded& graded, const Classroom50& where);

// ---- of one student or of several ----
struct JunitCounts {
  int tests = 0, failures = 0, errors = 0, skipped = 0;
};
// The file is junit_head, junit_suites per student, junit_tail; the head has the sum of all
// students' counts.
void count(JunitCounts& counts, const Graded& graded);
[[nodiscard]] std::string junit_head(const JunitCounts& counts);
[[nodiscard]] std::string junit_suites(const Graded& graded);
inline constexpr const char* junit_tail = "</testsuites>\n";
[[nodiscard]] std::string to_junit(const Graded& graded);

// ---- of a class: a head, then a line per student, whose marks are in the order of `labs` ----
// One row per student (key, name, e-mail address, the university's id or else the platform's,
// section), one column per lab with what counts, then the total. Without a mark, a cell is empty,
// and the total with it.
[[nodiscard]] std::string csv_head(const std::vector<batch::Lab>& labs);
[[nodiscard]] std::string csv_line(const Graded& graded);
// A grade book for Canvas to import. `columns`: what its columns are called, by lab, such as "Lab 1
// (4711)"; else "NAME TITLE".
[[nodiscard]] std::string canvas_head(const std::vector<batch::Lab>& labs,
                                      const std::map<std::string, std::string>& columns);
[[nodiscard]] std::string canvas_line(const Graded& graded);

}  // namespace histolab::formats

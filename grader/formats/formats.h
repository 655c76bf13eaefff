// Formats: writes results in the formats of other systems. Each is a pure function from values to
// text; docs/formats.md describes the fields and links to the documentation of each system.
//
// No text depends on the time of day or on durations. A student's string never becomes markup, a
// formula or a separate field.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "grader/batch/class_results.h"
#include "grader/formats/graded.h"
#include "reference/result.h"

namespace histolab::formats {

// ---- for one student ----
[[nodiscard]] std::string to_gradescope(const Graded& graded);
[[nodiscard]] std::string to_prairielearn(const Graded& graded);
[[nodiscard]] std::string to_exercism(const Graded& graded);

// Data that Classroom 50's runner passes to the autograder in environment variables.
struct Classroom50 {
  std::string classroom, assignment, assignment_type, owner, submission, commit, release, review;
  std::string datetime;  // "2026-06-01T14:32:05Z"
};
// Reads the variables CLASSROOM, ASSIGNMENT, ... `now` is used if the tag has no time. Returns an
// Error that names the missing variables.
[[nodiscard]] Result<Classroom50> classroom50_of(
    const std::map<std::string, std::string>& environment, const std::string& now);
// Returns an Error if there is no score, which this format cannot express. The runner reports a
// failing autograder as an error and records no mark.
[[nodiscard]] Result<std::string> to_classroom50(const Graded& graded, const Classroom50& where);

// ---- for one or several students ----
struct JunitCounts {
  int tests = 0, failures = 0, errors = 0, skipped = 0;
};
// The file consists of junit_head, junit_suites per student, and junit_tail. The head has the sums
// over all students.
void count(JunitCounts& counts, const Graded& graded);
[[nodiscard]] std::string junit_head(const JunitCounts& counts);
[[nodiscard]] std::string junit_suites(const Graded& graded);
inline constexpr const char* junit_tail = "</testsuites>\n";
[[nodiscard]] std::string to_junit(const Graded& graded);

// ---- for a class: a head, then a line per student with marks in the order of `labs` ----
// One row per student: key, name, e-mail address, the university's id (or the platform's), section,
// the score of each lab, and the total. If a mark is missing, its cell and the total are empty.
[[nodiscard]] std::string csv_head(const std::vector<batch::Lab>& labs);
[[nodiscard]] std::string csv_line(const Graded& graded);
// A grade book for Canvas to import. `columns` has the column names by lab, such as "Lab 1 (4711)".
// The default is "NAME TITLE".
[[nodiscard]] std::string canvas_head(const std::vector<batch::Lab>& labs,
                                      const std::map<std::string, std::string>& columns);
[[nodiscard]] std::string canvas_line(const Graded& graded);

}  // namespace histolab::formats

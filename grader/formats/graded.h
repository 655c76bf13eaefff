// Graded: one student's results, the input of every format for one student, and the text that the
// formats share.
//
//   Report or ClassReader -> Graded -> gradescope, prairielearn, exercism, classroom50, junit
//
// A lab without a score (Mark::has_score) never counts as 0. The total is then missing too, and
// each format reports "no score" in its own way. All text passes shown_text (grader/html/html.h):
// it is valid UTF-8, and can neither control a terminal nor change the writing direction.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "grader/batch/class_results.h"
#include "grader/report/report.h"

namespace histolab::formats {

using Graded = batch::Entry;  // with all marks; the student's key is empty in a report of `grade`

[[nodiscard]] Graded graded_of(const grader::Report& report);
// The columns of a table whose row is graded_of(report).
[[nodiscard]] std::vector<batch::Lab> labs_of(const grader::Report& report);

// Returns the weighted sum of the labs' scores, to a hundredth of a point. Returns nullopt if a lab
// has no score.
[[nodiscard]] std::optional<double> score_of(const Graded& graded);
[[nodiscard]] double max_score_of(const Graded& graded);
// Rounds to a hundredth of a point. Deductions for lateness can give any fraction.
[[nodiscard]] double rounded(double points);
// "Ada Lovelace (ada)": the name and the key, or one of them if they are the same.
[[nodiscard]] std::string display_name(const batch::Student& student);
// "8.1", "10"
[[nodiscard]] std::string points_text(double points);
// " x 2": the weight of the points in the total; empty if it is 1
[[nodiscard]] std::string weight_text(const batch::Mark& mark);

// "02-atomic-add: every letter counts"
[[nodiscard]] std::string test_name(const grader::LabResult& lab, const grader::CheckResult& check);
// The observation, its line and the hint.
[[nodiscard]] std::string describe(const grader::CheckResult& check);
// A whole lab: "02-atomic-add: failed, 2 of 10 points. MESSAGE", and the note on a changed score.
[[nodiscard]] std::string describe(const batch::Mark& mark);
// The problem of the submission, then one line per lab.
[[nodiscard]] std::string summary_of(const Graded& graded);
// The compiler's messages, one line each: "02-atomic-add.cu:3:7: error: ...". Without paths of this
// machine.
[[nodiscard]] std::string diagnostics_of(const grader::LabResult& lab);
// The kernel's printed output in all cases of the lab.
[[nodiscard]] std::string printed_by(const grader::LabResult& lab);

// The message of every format if there is no score.
inline constexpr const char* no_score =
    "There is no score: this could not be graded. It is not your fault and costs no points; it has "
    "to be graded again, or reviewed by a person.";

// Cuts text to at most this many characters of UTF-8. A cut text ends with `mark`.
[[nodiscard]] std::string cut(const std::string& text, std::size_t characters,
                              const std::string& mark = "...");

}  // namespace histolab::formats

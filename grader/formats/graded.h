// Graded: one student's results, as every format for one student takes them; and what formats say
// in the same words.
//
//   Report or ClassReader -> Graded -> gradescope, prairielearn, exercism, classroom50, junit
//
// A lab without a score (Mark::has_score) never counts as 0: the sum over the labs is then no
// number either, and each format says "no score" in its own way. All text that comes out of here is
// shown_text (grader/html/html.h): whatever a student or a kernel wrote, it is UTF-8, steers no
// terminal and turns no line round.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "grader/batch/class_results.h"
#include "grader/report/report.h"

namespace histolab::formats {

using Graded = batch::Entry;  // with all marks; the student's key is empty in a report of `grade`

[[nodiscard]] Graded graded_of(const grader::Report& report);
// The columns of a table with such a row.
[[nodiscard]] std::vector<batch::Lab> labs_of(const grader::Report& report);

// What counts, over all labs with their weights, to a hundredth of a point; nullopt if a lab has no
// score.
[[nodiscard]] std::optional<double> score_of(const Graded& graded);
[[nodiscard]] double max_score_of(const Graded& graded);
// To a hundredth of a point: what lateness leaves may be no number of points that anybody gives.
[[nodiscard]] double rounded(double points);
// "Ada Lovelace (ada)": the name and the key, or one of them if they are the same.
[[nodiscard]] std::string called(const batch::Student& student);
// "8.1", "10"
[[nodiscard]] std::string points_text(double points);
// " x 2": the weight of the points in the total; empty if it is 1
[[nodiscard]] std::string weight_text(const batch::Mark& mark);

// "02-atomic-add: every letter counts"
[[nodiscard]] std::string test_name(const grader::LabResult& lab, const grader::CheckResult& check);
// What was seen, the line it is about, and what to try.
[[nodiscard]] std::string told(const grader::CheckResult& check);
// Of a lab as a whole: "02-atomic-add: failed, 2 of 10 points. MESSAGE", and what changed the
// score.
[[nodiscard]] std::string told(const batch::Mark& mark);
// The same of all labs, a line each, after what is wrong with the hand-in.
[[nodiscard]] std::string summary_of(const Graded& graded);
// What the compiler said, a line each: "02-atomic-add.cu:3:7: error: ...", never with a path of
// this machine.
[[nodiscard]] std::string diagnostics_of(const grader::LabResult& lab);
// What the kernel printed in the lab's cases; empty: nothing.
[[nodiscard]] std::string printed_by(const grader::LabResult& lab);

// What every format says where there is no score.
inline constexpr const char* no_score =
    "There is no score: this could not be judged. It is no fault of yours and costs no mark; it "
    "has to be graded again, or looked at by a person.";

// At most so many characters of UTF-8, with `mark` at the end of what was cut.
[[nodiscard]] std::string cut(const std::string& text, std::size_t characters,
                              const std::string& mark = "...");

}  // namespace histolab::formats

// Feedback: one student's results in full sentences, written for that student. It has the points of
// each lab, the reason for each lost point, and the next step.
//
//   Graded -> a text of 80 columns, a page, a comment of some lines
//
// The sentences on a lost point are those that `grade` prints (grader/feedback/advice.h). Feedback
// says nothing of other students. It has no solution's source, no seed and no path of this machine.
#pragma once

#include <string>

#include "grader/formats/graded.h"

namespace histolab::formats {

[[nodiscard]] std::string to_feedback_text(const Graded& graded);
// A self-contained page for printing and for phones.
[[nodiscard]] std::string to_feedback_html(const Graded& graded);
// Lines without markup: the points, then for each lab the first problem. The first line begins with
// `comment_mark`.
[[nodiscard]] std::string to_feedback_comment(const Graded& graded);
inline constexpr const char* comment_mark = "Graded by histolab";

}  // namespace histolab::formats

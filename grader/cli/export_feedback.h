// What `export` writes for students and for the platforms that they read it on: pages of feedback,
// archives of them, Moodle's grading worksheet. docs/formats.md says how each is used.
#pragma once

#include <functional>
#include <map>
#include <string>

#include "grader/formats/graded.h"
#include "reference/result.h"

namespace histolab::cli {

using TakeStudent = std::function<Status(const formats::Graded& student)>;
// Calls it for each student, as often as it is asked to.
using EachStudent = std::function<Status(const TakeStudent& take)>;

// KEY.html and KEY.txt for each student in a folder.
[[nodiscard]] Status write_feedback_files(const std::string& folder, const EachStudent& each);
// One student's, in a file or on the standard output ("-"): a page if the file's name ends in
// .html.
[[nodiscard]] Status write_feedback(const std::string& output, const EachStudent& each);

struct MoodleFlags {
  std::string output, worksheet;  // worksheet: the one that Moodle wrote; empty: there is none
  std::map<std::string, std::string> headings;  // formats/moodle.h
};
// Each of these names the students that it has no place for on the standard error, and returns the
// exit code.
[[nodiscard]] Result<int> write_moodle(const MoodleFlags& flags, const EachStudent& each);
[[nodiscard]] Result<int> write_moodle_feedback(const MoodleFlags& flags, const EachStudent& each);
[[nodiscard]] Result<int> write_canvas_feedback(const std::string& output, const EachStudent& each);

}  // namespace histolab::cli

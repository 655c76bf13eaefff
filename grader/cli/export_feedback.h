// The part of `export` that writes for students and for learning platforms: pages of feedback,
// archives of them, Moodle's grading worksheet. docs/formats.md describes their use.
#pragma once

#include <functional>
#include <map>
#include <string>

#include "grader/formats/graded.h"
#include "reference/result.h"

namespace histolab::cli {

using TakeStudent = std::function<Status(const formats::Graded& student)>;
// Calls `take` once per student. It may be called again.
using EachStudent = std::function<Status(const TakeStudent& take)>;

// Writes KEY.html and KEY.txt per student into a folder.
[[nodiscard]] Status write_feedback_files(const std::string& folder, const EachStudent& each);
// Writes one student's feedback to a file or the standard output ("-"): a page if the file's name
// ends in .html.
[[nodiscard]] Status write_feedback(const std::string& output, const EachStudent& each);

struct MoodleFlags {
  std::string output, worksheet;                // worksheet: a file that Moodle wrote; may be empty
  std::map<std::string, std::string> headings;  // formats/moodle.h
};
// Each of these returns the exit code: 1 if a student has no place in the file. It names these
// students on the standard error.
[[nodiscard]] Result<int> write_moodle(const MoodleFlags& flags, const EachStudent& each);
[[nodiscard]] Result<int> write_moodle_feedback(const MoodleFlags& flags, const EachStudent& each);
[[nodiscard]] Result<int> write_canvas_feedback(const std::string& output, const EachStudent& each);

}  // namespace histolab::cli

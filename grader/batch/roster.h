// Roster: the students of a class from a CSV file, such as Gradescope's roster, Canvas's grade book
// or Moodle's list of participants.
//
//   name,email,id,section
//   Ada Lovelace,ada@example.edu,4711,Tuesday
//
// Columns may be in any order and have other names (roster.cpp); first and last name may be
// separate. Moodle's grading worksheet is a roster too: its "Participant 205" identifies students
// with the same name, and "Last modified (submission)" is the time of files without a time.
//
// Each student of the roster is in the class, even without a submission. A student's submissions in
// several exports are combined by e-mail address, id, login or name.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "grader/batch/class_results.h"
#include "grader/batch/members.h"
#include "reference/result.h"

namespace histolab::batch {

struct Roster {
  std::vector<Student> students;                    // without keys
  std::map<std::size_t, std::string> participants;  // Moodle's numbers, by index in `students`
  std::map<std::size_t, std::int64_t> handed_in;    // in seconds since 1970, by the same index
  std::vector<std::string> remarks;  // unused columns that look misspelt, times without an offset
};

// `file` is the name used in messages. Returns an Error with the line if the text is not CSV, if a
// needed column is missing, or if two students have the same e-mail address, id or login.
[[nodiscard]] Result<Roster> read_roster(const std::string& file, const std::string& text);

// Adds the roster's students and assigns the submissions to them. A student who is not in the
// roster stays, with a remark. If a submission may belong to several students, it stays too, and
// they get no mark in labs for which they have no other file.
[[nodiscard]] Members with_roster(Members members, const Roster& roster);

}  // namespace histolab::batch

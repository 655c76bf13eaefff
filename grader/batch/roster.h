// Roster: the students of the class, from a CSV file; Gradescope's roster, Canvas's grade book and
// Moodle's list of participants are such files.
//
//   name,email,id,section                      or first name and last name; in any order, with
//   Ada Lovelace,ada@example.edu,4711,Tuesday  more columns, or other names for them (roster.cpp)
//
// Moodle's grading worksheet is one, too: its "Participant 205" says which of two students of one
// name handed in, and "Last modified (submission)" is the time of all files that have none.
//
// With a roster, each of its students is in the class, also without a hand-in. The hand-ins of one
// student in several exports are put together, by e-mail address, id, login or name.
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
  std::map<std::size_t, std::string> participants;  // Moodle's numbers, by the place in `students`
  std::map<std::size_t, std::int64_t> handed_in;    // in seconds since 1970, likewise
  std::vector<std::string>
      remarks;  // columns that are not used and look misspelt, and times without an offset
};

// `file` is for messages. Fails if it is not a CSV file, a needed column is missing, or two
// students have the same e-mail address, id or login; with the line.
[[nodiscard]] Result<Roster> read_roster(const std::string& file, const std::string& text);

// The class of the roster. Those who are not in it stay, and a remark names them. If a hand-in may
// be of several students, it stays, too, and these have no mark in a lab without a file of their
// own.
[[nodiscard]] Members with_roster(Members members, const Roster& roster);

}  // namespace histolab::batch

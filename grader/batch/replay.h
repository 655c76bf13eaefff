// Replay: checks a mark that a student appeals. Grades the submission in the journal again, with
// its seed, rubric and cases, and compares the new report with the stored one byte for byte.
#pragma once

#include <string>
#include <vector>

#include "grader/batch/engine.h"
#include "grader/batch/gradings.h"
#include "grader/batch/journal.h"
#include "reference/result.h"

namespace histolab::batch {

struct Replayed {
  std::string lab;
  std::string status;  // of the stored report
  double score = 0;    // of the stored report, before deductions for lateness
  bool same = false;
  std::vector<std::string> differences;  // "/checks/1/score: 3, now 0", the first few
  std::string by_hand = {};  // a mark by hand that replaces it: "set by hand to 8 on ..."
};

// The works of the student that matches the word (people.h). Returns an Error if no or several
// students match.
[[nodiscard]] Result<std::vector<Task>> works_of_student(Journal& journal, const std::string& word);

// Returns an Error if the verdict's data_version, `then`, is not that of this program.
[[nodiscard]] Status same_data(std::uint32_t then);

// Returns an Error if the results cannot be compared: for example, if the version of histolab or
// the lab has changed, or before the first result.
[[nodiscard]] Result<Replayed> replay(Journal& journal, const Engine& engine,
                                      grader::SolutionStages& stages, const Gradings& gradings,
                                      const Meta& meta, const Task& task);

// Returns the differences of two JSON texts as "POINTER: then, now". Empty if they are the same
// bytes.
[[nodiscard]] std::vector<std::string> differences_of(const std::string& then,
                                                      const std::string& now);

// "04-privatization: the same, to the byte: failed, 5 points".
[[nodiscard]] std::string to_text(const Replayed& replayed);

}  // namespace histolab::batch

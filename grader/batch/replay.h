// Replay: how a mark is appealed. The submission that the journal keeps, with its seed, rubric and
// cases, is graded again, and the new report of the lab is compared with the kept one, byte for
// byte.
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
  std::string status;  // of the kept report
  double score = 0;    // its own, before lateness
  bool same = false;
  std::vector<std::string> differences;  // "/checks/1/score: 3, now 0", the first few
  std::string by_hand = {};  // the mark by hand that counts instead: "set by hand to 8 on ..."
};

// The works of the student that the word means (people.h). Error: it means no student, or several.
[[nodiscard]] Result<std::vector<Task>> works_of_student(Journal& journal, const std::string& word);

// The error of a replay on other data: `then` is the data_version of the verdict. Done if it is
// this program's.
[[nodiscard]] Status same_data(std::uint32_t then);

// Error: it cannot be compared, and why: another version of histolab, another lab than then, no
// result yet.
[[nodiscard]] Result<Replayed> replay(Journal& journal, const Engine& engine,
                                      grader::SolutionStages& stages, const Gradings& gradings,
                                      const Meta& meta, const Task& task);

// Where two JSON texts differ, as "POINTER: then, now"; empty: nowhere.
[[nodiscard]] std::vector<std::string> differences_of(const std::string& then,
                                                      const std::string& now);

// "04-privatization: the same, to the byte: failed, 5 points".
[[nodiscard]] std::string to_text(const Replayed& replayed);

}  // namespace histolab::batch

// Scores: what counts for each student in each lab: the grader's result, what lateness costs, extensions,
// and marks set by hand, which come last.
//
//   Journal, Rubric -> Scores -> ClassReader, Overview
//
// Read from the journal's columns; no report is read for them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "grader/batch/journal.h"
#include "grader/batch/rubric.h"
#include "reference/result.h"

namespace histolab::batch {

struct Score {
  double points = 0;
  std::string note;      // what changed the points; empty: nothing did
  bool by_hand = false;
};

class Scores {
 public:
  // Error: the journal or its list of extensions cannot be read.
  static Result<Scores> read(Journal& journal, const Rubric& rubric);

  // Null: there is no mark, since nobody graded the work yet, or a person has to look.
  [[nodiscard]] const Score* of(const std::string& student, const std::string& lab) const;

  // Students with a result and a deadline, but nothing says when they handed in: lateness cost them nothing.
  std::size_t without_times = 0;
  // Sentences: rows of the list of extensions that mean no student; marks by hand of students or labs
  // that are not in the class any more.
  std::vector<std::string> unmatched;

 private:
  std::map<std::pair<std::string, std::string>, Score> scores_;
};

// What is said if lateness could cost so many students nothing.
[[nodiscard]] std::string lateness_is_unknown(std::size_t without_times, std::size_t students);

// "set by hand to 8 on 2026-11-27 by Grace Hopper: REASON"
[[nodiscard]] std::string to_text(const HandMark& mark);

}  // namespace histolab::batch

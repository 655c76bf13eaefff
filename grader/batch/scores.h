// Scores: the points that count, per student and lab: the grader's points, less the price of
// lateness with its extensions; a mark set by hand replaces them.
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
  std::string note;  // why the points are not the grader's; may be empty
  bool by_hand = false;
};

class Scores {
 public:
  // Fails if the journal or its list of extensions cannot be read.
  static Result<Scores> read(Journal& journal, const Rubric& rubric);

  // Returns null if the work is not graded yet, or waits for a person.
  [[nodiscard]] const Score* of(const std::string& student, const std::string& lab) const;

  // Students with a result and a deadline, but nothing says when they handed in: lateness cost them
  // nothing.
  std::size_t without_times = 0;
  // Sentences: rows of the list of extensions that mean no student or give no time; marks by hand
  // of students or labs that are not in the class any more.
  std::vector<std::string> unmatched;

 private:
  std::map<std::pair<std::string, std::string>, Score> scores_;
};

// The sentence for so many students without a time.
[[nodiscard]] std::string lateness_is_unknown(std::size_t without_times, std::size_t students);

// "set by hand to 8 on 2026-11-27 by Grace Hopper: REASON"
[[nodiscard]] std::string to_text(const HandMark& mark);

}  // namespace histolab::batch

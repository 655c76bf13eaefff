// Scores: the final points per student and lab: the grader's points minus deductions for lateness
// (with extensions), or a mark set by hand.
//
//   Journal, Rubric -> Scores -> ClassReader, Overview
//
// Reads only the journal's columns, not the reports.
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
  std::string note;  // reason for a change of the grader's points; may be empty
  bool by_hand = false;
};

class Scores {
 public:
  // Returns an Error if the journal or its list of extensions cannot be read.
  static Result<Scores> read(Journal& journal, const Rubric& rubric);

  // Returns nullptr if the work is not graded yet, or needs review.
  [[nodiscard]] const Score* of(const std::string& student, const std::string& lab) const;

  // Number of students with a result and a deadline but without a submission time: they get no
  // deduction.
  std::size_t without_times = 0;
  // A sentence for each extension without a matching student or without effect, and for each mark
  // by hand whose student or lab is no longer in the class.
  std::vector<std::string> unmatched;

 private:
  std::map<std::pair<std::string, std::string>, Score> scores_;
};

// The warning about students without a submission time.
[[nodiscard]] std::string lateness_is_unknown(std::size_t without_times, std::size_t students);

// "set by hand to 8 on 2026-11-27 by Grace Hopper: REASON"
[[nodiscard]] std::string to_text(const HandMark& mark);

}  // namespace histolab::batch

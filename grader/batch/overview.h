// Overview: the summary of a batch at its end and while it runs. Reads only the journal's columns,
// not the reports.
#pragma once

#include <string>
#include <vector>

#include "grader/batch/engine.h"
#include "grader/batch/journal.h"
#include "reference/result.h"

namespace histolab::batch {

struct Overview {
  struct OfLab {
    std::string name;
    int max_score = 0;
    std::size_t passed = 0, failed = 0, not_attempted = 0, review = 0, outstanding = 0;
    double mean = 0;  // score of those who submitted a kernel, after deductions for lateness
  };
  std::vector<OfLab> labs;
  std::size_t students = 0, review = 0, outstanding = 0;
  std::size_t machine_failed = 0;    // of `review`
  std::vector<std::string> sharing;  // "LAB: NAME, NAME": students with answers to the same quiz
  // The first few: "LAB: NAME and the course's solution: the same but for names".
  std::vector<std::string> known;
  std::size_t without_times = 0;       // students without a submission time (scores.h)
  std::vector<std::string> unmatched;  // Scores::unmatched
  // The first few: "NAME: FILE cannot be read", then the number of further ones.
  std::vector<std::string> problems;
  std::vector<std::string> nothing;  // names of students without a submission
  std::vector<std::string> remarks;  // submissions not in the roster, files of other labs, ...
  [[nodiscard]] bool all_passed() const;
};

[[nodiscard]] Result<Overview> overview_of(Journal& journal);
[[nodiscard]] std::string to_text(const Overview& overview, const std::string& out);

// "1 h 12 min", "3 min 5 s", "7 s".
[[nodiscard]] std::string hours_and_minutes(double seconds);
// "812 of 1 800: 700 passed, 112 failed, 0 to review; about 1 min 10 s left".
[[nodiscard]] std::string progress_text(const Standing& now);

}  // namespace histolab::batch

// Overview: what a batch says at its end, and while it goes on. From the journal's columns alone:
// no report is read for it.
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
    double mean = 0;  // of those who handed in a kernel, after what lateness cost
  };
  std::vector<OfLab> labs;
  std::size_t students = 0, review = 0, outstanding = 0;
  std::size_t machine_failed = 0;  // of `review`
  std::vector<std::string>
      sharing;  // "LAB: NAME, NAME": students who handed in answers to the same drawn quiz
  std::vector<std::string>
      known;  // "LAB: NAME, the course's solution, the same but for names", at most a few
  std::size_t without_times = 0;       // students whom lateness could not cost anything (scores.h)
  std::vector<std::string> unmatched;  // of Scores
  std::vector<std::string>
      problems;  // "NAME: what could not be read", at most a few; then how many more
  std::vector<std::string> nothing;  // names of students who handed in nothing
  std::vector<std::string>
      remarks;  // hand-ins that are not in the roster, files of other labs, ...
  [[nodiscard]] bool all_passed() const;
};

[[nodiscard]] Result<Overview> overview_of(Journal& journal);
[[nodiscard]] std::string to_text(const Overview& overview, const std::string& out);

// "1 h 12 min", "3 min 5 s", "7 s".
[[nodiscard]] std::string hours_and_minutes(double seconds);
// "812 of 1 800: 700 passed, 112 failed, 0 to review; about 1 min 10 s left".
[[nodiscard]] std::string told(const Standing& now);

}  // namespace histolab::batch

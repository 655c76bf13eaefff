// Overview: statistics of a class. The distribution of scores, the verdicts of each lab, the failed
// checks of each lab, and grading times.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "grader/batch/class_results.h"
#include "grader/class_report/people.h"
#include "grader/class_report/verdicts.h"

namespace histolab::class_report {

struct CheckCount {
  std::string id, title;
  int max_score = 0;
  std::size_t judged = 0;  // kernels that reached this check
  std::size_t failed = 0;  // of these
};

struct LabCount {
  std::array<std::size_t, verdict_looks.size()> verdicts{};  // in the order of verdict_looks
  std::vector<double> scores;      // of students with a mark for a submission, ascending
  std::vector<CheckCount> checks;  // in the rubric's order
  // Kernels' times as multiples of the solution's, ascending. Empty if the lab is not timed.
  std::vector<double> times;
  double seconds = 0, longest_seconds = 0;  // grading time on this machine
};

struct Overview {
  std::vector<LabCount> labs;
  std::vector<double> totals;  // of students with a mark in every lab, ascending
  std::size_t all_passed = 0, nothing_handed_in = 0, without_a_mark = 0;
  double seconds = 0;

  // Starts with the checks that the labs' solutions have, in the rubric's order.
  explicit Overview(const batch::ClassResults& results);
  // Adds a student; `results` as in the constructor.
  void add(const batch::ClassResults& results, const batch::Entry& entry);
  // Call after the last student.
  void sort();
};

// Returns 0 without values. For an even number of values, it is the mean of the middle two.
[[nodiscard]] double median(const std::vector<double>& ascending);
[[nodiscard]] double mean(const std::vector<double>& values);
// Counts the values in each of ten equal parts of [0, most), and, last, those at `most`.
[[nodiscard]] std::array<std::size_t, 11> spread(const std::vector<double>& values, double most);
// The times of a kernel and of the solution on the lab's first timed case that both have. times_of
// returns nullopt if there is no such case.
struct Times {
  double own_ms = 0, solution_ms = 0;
  [[nodiscard]] double ratio() const { return own_ms / solution_ms; }
};
[[nodiscard]] std::optional<Times> times_of(const grader::LabResult& own,
                                            const grader::LabResult& solution);

}  // namespace histolab::class_report

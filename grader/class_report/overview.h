// Overview: a class in numbers. How scores are spread, how each lab ended, which check of which lab
// costs the points, how long things took.
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
  std::size_t failed = 0;  // of those whose kernel came as far as being judged
  std::size_t judged = 0;
};

struct LabCount {
  std::array<std::size_t, verdict_looks.size()> verdicts{};  // in their order
  std::vector<double> scores;      // of those with a mark that handed something in, ascending
  std::vector<CheckCount> checks;  // in the rubric's order
  // Of kernels, as multiples of the solution's time; ascending; empty: nothing of this lab is
  // timed.
  std::vector<double> times;
  double seconds = 0, longest_seconds = 0;  // of grading it here
};

struct Overview {
  std::vector<LabCount> labs;
  std::vector<double> totals;  // of those with a mark in every lab, ascending
  std::size_t all_passed = 0, nothing_handed_in = 0, without_a_mark = 0;
  double seconds = 0;

  // Begins with the checks that the labs' solutions name, in the rubric's order.
  explicit Overview(const batch::ClassResults& results);
  // A student with the marks; `results` as before.
  void add(const batch::ClassResults& results, const batch::Entry& entry);
  // After the last student.
  void sort();
};

// 0 of none; the mean of the two in the middle of an even number.
[[nodiscard]] double median(const std::vector<double>& ascending);
[[nodiscard]] double mean(const std::vector<double>& values);
// How many lie in each of ten equal parts of [0, most), and, last, at `most`.
[[nodiscard]] std::array<std::size_t, 11> spread(const std::vector<double>& values, double most);
// A kernel's time and the solution's on the lab's first timed case that both have; nullopt: there
// is none.
struct Times {
  double own_ms = 0, solution_ms = 0;
  [[nodiscard]] double ratio() const { return own_ms / solution_ms; }
};
[[nodiscard]] std::optional<Times> times_of(const grader::LabResult& own,
                                            const grader::LabResult& solution);

}  // namespace histolab::class_report

// Review: the results that a person should look at before publishing marks, most urgent first.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "grader/batch/class_results.h"

namespace histolab::class_report {

enum class Concern {
  no_mark,     // the machine failed, or a person has to decide
  unreadable,  // some submitted files are unreadable or were not graded
  refused,     // the source uses something that kernels must not use
  crashed,     // the process died without a finding that explains it
  nothing,     // the student submitted nothing
};
[[nodiscard]] const char* title(Concern concern);

struct ReviewItem {
  Concern concern;
  std::size_t entry = 0;
  std::vector<std::size_t> labs;  // empty for the whole submission
  std::string reason;             // untrusted text
};

// Ordered by concern, entry, lab. A student's labs with the same reason are one item. A mark set by
// hand resolves a result.
[[nodiscard]] std::vector<ReviewItem> review_of(const batch::ClassResults& results);

}  // namespace histolab::class_report

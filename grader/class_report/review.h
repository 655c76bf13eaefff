// Review: what a person should look at before the marks go out, the most pressing first.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "grader/batch/class_results.h"

namespace histolab::class_report {

enum class Concern {
  no_mark,     // the machine failed, or a person has to decide
  unreadable,  // not everything that was handed in could be read, or was graded
  refused,     // the source uses something that is not allowed in a kernel
  crashed,     // its process died without a finding that explains it
  nothing,     // the student handed in nothing
};
[[nodiscard]] const char* title(Concern concern);

struct ReviewItem {
  Concern concern;
  std::size_t entry = 0;
  std::vector<std::size_t> labs;  // empty for the whole hand-in
  std::string reason;             // a stranger's text
};

// By concern, then entry, then lab. Labs of a student with the same reason are one item. A mark by
// hand settles a result.
[[nodiscard]] std::vector<ReviewItem> review_of(const batch::ClassResults& results);

}  // namespace histolab::class_report

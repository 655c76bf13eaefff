// Review: what a person should look at before the marks go out, the most pressing first.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "grader/batch/class_results.h"

namespace histolab::class_report {

enum class Concern {
  no_mark,     // the machine failed, or somebody has to decide
  unreadable,  // nothing, or not all, of what was handed in could be read
  refused,     // the source uses what a kernel has no business with
  crashed,     // its process died without a finding that explains it
};
[[nodiscard]] const char* title(Concern concern);

struct ReviewItem {
  Concern concern;
  std::size_t entry = 0;
  std::optional<std::size_t> lab;  // of unreadable: none
  std::string reason;              // a stranger's text
};

// By concern, then entry, then lab.
[[nodiscard]] std::vector<ReviewItem> review_of(const batch::ClassResults& results);

}  // namespace histolab::class_report

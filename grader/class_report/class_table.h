// The class as a table: a row a student, a column a lab. Its headings say how a script may sort it,
// its rows what they may be filtered by; without JavaScript it is a plain table in the order of the
// page.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "grader/batch/class_results.h"
#include "grader/class_report/people.h"
#include "grader/class_report/review.h"

namespace histolab::class_report {

[[nodiscard]] std::string class_table(const batch::ClassResults& results, const People& people,
                                      const std::vector<ReviewItem>& review);

}  // namespace histolab::class_report

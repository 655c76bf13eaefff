// The class as a table: a row per student, a column per lab. Its data attributes control sorting
// and filtering by the page's script. Without JavaScript, it is a plain table in the page's order.
#pragma once

#include <cstddef>
#include <vector>

#include "grader/batch/class_results.h"
#include "grader/class_report/people.h"
#include "grader/class_report/review.h"
#include "grader/html/html.h"

namespace histolab::class_report {

[[nodiscard]] grader::Html class_table(const batch::ClassResults& results, const People& people,
                                       const std::vector<ReviewItem>& review);

}  // namespace histolab::class_report

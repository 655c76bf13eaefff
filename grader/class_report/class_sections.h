// The sections about the class as a whole, each with its heading; one that would be empty is not there.
#pragma once

#include <string>
#include <vector>

#include "grader/batch/class_results.h"
#include "grader/class_report/mistakes.h"
#include "grader/class_report/overview.h"
#include "grader/class_report/people.h"
#include "grader/class_report/review.h"

namespace histolab::class_report {

[[nodiscard]] std::string heading_section(const batch::ClassResults& results, const Overview& overview, std::size_t to_review);
[[nodiscard]] std::string review_section(const batch::ClassResults& results, const People& people, const std::vector<ReviewItem>& review);
[[nodiscard]] std::string labs_section(const batch::ClassResults& results, const Overview& overview, const People& people);
[[nodiscard]] std::string checks_section(const batch::ClassResults& results, const Overview& overview);
[[nodiscard]] std::string mistakes_section(const batch::ClassResults& results, const std::vector<Mistake>& mistakes);
[[nodiscard]] std::string alike_section(const batch::ClassResults& results, const People& people);

}  // namespace histolab::class_report

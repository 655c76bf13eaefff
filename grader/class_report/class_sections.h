// The sections about the class as a whole, each with its heading; one that would be empty is not
// there.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "grader/batch/class_results.h"
#include "grader/class_report/mistakes.h"
#include "grader/class_report/overview.h"
#include "grader/class_report/people.h"
#include "grader/class_report/review.h"

namespace histolab::class_report {

[[nodiscard]] std::string heading_section(const batch::ClassResults& results,
                                          const Overview& overview, std::size_t to_review);
[[nodiscard]] std::string review_section(const batch::ClassResults& results, const People& people,
                                         const std::vector<ReviewItem>& review);
[[nodiscard]] std::string labs_section(const batch::ClassResults& results, const Overview& overview,
                                       const People& people);
[[nodiscard]] std::string checks_section(const batch::ClassResults& results,
                                         const Overview& overview);
[[nodiscard]] std::string mistakes_section(const batch::ClassResults& results,
                                           const std::vector<Mistake>& mistakes);
// A pair of similar submissions, in the order in which the report has them.
struct SimilarPair {
  const batch::Likeness* alike = nullptr;
  bool equal_files = false;    // byte for byte
  std::size_t comparison = 0;  // its number on the page, from 1; 0 if it is not on the page
};
// The pairs that are shown, the longest kernels and the most alike first. The first ones are
// compared side by side.
[[nodiscard]] Result<std::vector<SimilarPair>> similar_pairs(const batch::ClassSource& source);
[[nodiscard]] std::string alike_section(const batch::ClassResults& results, const People& people,
                                        const std::vector<SimilarPair>& pairs);
// Two texts side by side, closed until a reader opens it.
[[nodiscard]] std::string comparison(const batch::ClassResults& results, const People& people,
                                     const SimilarPair& pair,
                                     const std::pair<std::string, std::string>& texts);

}  // namespace histolab::class_report

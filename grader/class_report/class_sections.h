// The sections about the class as a whole, without their headings. Each returns nothing if it has
// no content.
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
#include "grader/html/html.h"

namespace histolab::class_report {

[[nodiscard]] grader::Html heading_section(const batch::ClassResults& results,
                                           const Overview& overview, std::size_t to_review);
[[nodiscard]] grader::Html review_section(const batch::ClassResults& results, const People& people,
                                          const std::vector<ReviewItem>& review);
[[nodiscard]] grader::Html labs_section(const batch::ClassResults& results,
                                        const Overview& overview, const People& people);
[[nodiscard]] grader::Html checks_section(const batch::ClassResults& results,
                                          const Overview& overview);
[[nodiscard]] grader::Html mistakes_section(const batch::ClassResults& results,
                                            const std::vector<Mistake>& mistakes);
// A pair of similar submissions.
struct SimilarPair {
  const batch::Likeness* alike = nullptr;
  bool equal_files = false;    // byte for byte
  std::size_t comparison = 0;  // its number on the page, from 1; 0 if it is not on the page
};
// Returns the pairs in the report's order, longest and most similar kernels first. The first pairs
// are compared side by side.
[[nodiscard]] Result<std::vector<SimilarPair>> similar_pairs(const batch::ClassSource& source);
[[nodiscard]] grader::Html alike_section(const batch::ClassResults& results, const People& people,
                                         const std::vector<SimilarPair>& pairs);
// Two texts side by side. Closed until the reader opens it.
[[nodiscard]] grader::Html comparison(const batch::ClassResults& results, const People& people,
                                      const SimilarPair& pair,
                                      const std::pair<std::string, std::string>& texts);

}  // namespace histolab::class_report

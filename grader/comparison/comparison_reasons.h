// Reasons: explains why one launch takes longer than another. A reason is a cost that is higher in
// the slower launch and belongs to the term that bounds it (docs/model.md). Each rule is one row of
// a table.
#pragma once

#include <array>
#include <span>
#include <string>
#include <string_view>

#include "grader/comparison/comparison.h"

namespace histolab::grader {

struct Reason {
  std::string_view id;
  // Terms of the model. The slower launch must be bound by one of them. "" is an unused element.
  std::array<std::string_view, 3> terms;
  double (*cost)(const CaseResult& launch);
  // Smallest ratio of the costs, slower / faster. If the faster launch has a cost of 0, any cost is
  // enough.
  double least;
  std::string (*words)(const ComparedLaunch& slow, const ComparedLaunch& fast);
};

// All reasons, in the order in which they are tried.
[[nodiscard]] std::span<const Reason> reasons();

// Returns the first reason that applies, or nullptr. Both launches must have a modelled time.
[[nodiscard]] const Reason* reason_of(const ComparedLaunch& slow, const ComparedLaunch& fast);

// A term in words: "atomic updates in global memory".
[[nodiscard]] std::string_view words_of_term(std::string_view term);

}  // namespace histolab::grader

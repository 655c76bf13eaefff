// Reasons: why one launch takes longer than another, by what the slower one is bound by
// (docs/model.md) and what it does more of there. Each rule is one row of a table.
#pragma once

#include <array>
#include <span>
#include <string>
#include <string_view>

#include "grader/comparison/comparison.h"

namespace histolab::grader {

struct Reason {
  std::string_view id;
  std::array<std::string_view, 3>
      terms;  // of the model: the slower launch is bound by one of them; "" is none
  double (*cost)(const CaseResult& launch);
  // So many times the faster one's cost makes it a reason; any cost does where the faster one has
  // none.
  double least;
  std::string (*words)(const ComparedLaunch& slow, const ComparedLaunch& fast);
};

// In the order in which they are tried.
[[nodiscard]] std::span<const Reason> reasons();

// The first that holds; null: none does. Both launches have a modelled time.
[[nodiscard]] const Reason* reason_of(const ComparedLaunch& slow, const ComparedLaunch& fast);

// What a person calls a term: "atomic updates in global memory".
[[nodiscard]] std::string_view words_of_term(std::string_view term);

}  // namespace histolab::grader

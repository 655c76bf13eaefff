// CounterGap: the reason why a right kernel is slow. It compares the kernel with the lab's solution
// on the same data, by the counters per source line and the recorded accesses. It names the line
// with which the kernel exceeds everything that the solution does. So a load that both kernels make
// is not blamed for a second one.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "grader/report/report.h"

namespace histolab::grader {

// Accesses recorded per launch. This many show the repeated accesses of a block's loop.
inline constexpr std::uint32_t accesses_to_compare = 2048;

struct CounterGap {
  std::string_view id;           // the aspect in which the kernel does more: "scattered-loads"
  int line = 0;                  // in the kernel's file
  double own = 0, solution = 0;  // costs of the whole launches, in units that depend on `id`
  // "neighbouring threads read 1024 bytes apart: 32 sectors per load, the solution needs 1". There
  // is no full stop.
  std::string sentence;
};

// If there is no solution to compare with, `solution` is null, and sentences describe only the
// kernel.

// Returns the reason why a counter is too high or too low, or nullopt if no line explains it.
[[nodiscard]] std::optional<CounterGap> gap_of_counter(std::string_view counter,
                                                       const CaseResult& own,
                                                       const CaseResult* solution);

// Returns the reason why a time is too long. Considers the aspects that affect the term `bound_by`
// of the model (docs/model.md), or all if it is empty. Among those in which the kernel does more,
// it chooses the one with the busiest line.
[[nodiscard]] std::optional<CounterGap> gap_of_time(std::string_view bound_by,
                                                    const CaseResult& own,
                                                    const CaseResult& solution);

// Returns all aspects in which the kernel does much more than the solution, the most expensive on a
// GPU first, and at most one per line.
[[nodiscard]] std::vector<CounterGap> gaps(const CaseResult& own, const CaseResult& solution);

}  // namespace histolab::grader

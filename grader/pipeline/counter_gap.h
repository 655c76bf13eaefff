// CounterGap: why a right kernel is slow. What it does more of than the lab's solution does on the
// same data, which line does most of it, and how much: from the counters by source line and the
// recorded accesses of both launches.
//
// Of a kernel's lines the one is named with which it goes beyond all that the solution does: a load
// that both have is not to blame for a second one.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "grader/report/report.h"

namespace histolab::grader {

// Of a launch's accesses: enough for what a block's loop does again and again.
inline constexpr std::uint32_t accesses_to_compare = 2048;

struct CounterGap {
  std::string_view id;           // "scattered-loads": what there is more of
  int line = 0;                  // of the kernel's file
  double own = 0, solution = 0;  // what the whole launches pay for it; units are the id's
  // "neighbouring threads read 1024 bytes apart: 32 sectors a request, the solution needs 1"; no
  // full stop.
  std::string sentence;
};

// In all of these `solution` is null where there is none to compare with; sentences then tell of
// the kernel alone.

// What stands behind a counter that is too high, or too low; nullopt: no line of the kernel does.
[[nodiscard]] std::optional<CounterGap> gap_of_counter(std::string_view counter,
                                                       const CaseResult& own,
                                                       const CaseResult* solution);

// What stands behind a time that is too long: of all that there is more of and that the term
// `bound_by` of the model (docs/model.md) may owe its length to, what the busiest line does. An
// empty term: any of them.
[[nodiscard]] std::optional<CounterGap> gap_of_time(std::string_view bound_by,
                                                    const CaseResult& own,
                                                    const CaseResult& solution);

// All that the kernel pays for and the solution does not, or much less: what costs most on a GPU
// first, at most one a line.
[[nodiscard]] std::vector<CounterGap> gaps(const CaseResult& own, const CaseResult& solution);

}  // namespace histolab::grader

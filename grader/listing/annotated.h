// Annotated: a kernel's source, line by line, with what each line costs, the findings that are
// about it, and what it does more of than the lab's solution. Nothing here is laid out: listing.h
// prints it, listing_html.h makes a page of it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "grader/pipeline/counter_gap.h"
#include "grader/report/report.h"

namespace histolab::grader {

// The columns in the margin (docs/counters.md, "By source line"); what a line has nothing of is
// nullopt.
struct LineCost {
  std::uint64_t requests = 0;
  std::optional<double> sectors;           // per global request
  std::optional<std::uint64_t> conflicts;  // of shared requests
  double lanes = 0;                        // active ones per request
  std::optional<std::uint64_t> degree;     // the most lanes of one atomic request on one address
  std::uint64_t barriers = 0;              // warps that arrived
};
[[nodiscard]] LineCost cost_of(const reference::Traffic& traffic);

struct AnnotatedLine {
  int number = 0;
  std::string code;  // flat (code_text.h)
  LineCost cost;
  std::vector<const kernels::Finding*> findings;  // whose line or other line this is
  std::vector<const CounterGap*> remarks;
};

// Of a launch that was made: what points into `run` and `gaps` is valid as long as the source that
// it was made from, and this.
struct Annotated {
  std::vector<AnnotatedLine> lines;
  std::optional<LineCost> elsewhere;  // accesses of no line of the file
  LineCost all;
  // All that the solution does; nullopt: there is none, or the kernel is the solution.
  std::optional<LineCost> solution;
  std::vector<const kernels::Finding*> unplaced;  // of no line of the file
  std::vector<CounterGap> gaps;

  Annotated() = default;
  Annotated(const Annotated&) = delete;
  Annotated& operator=(const Annotated&) = delete;
  Annotated(Annotated&&) = default;
  Annotated& operator=(Annotated&&) = default;
};

// `solution`: the same launch of the lab's solution; null where there is none to compare with. Of
// launches that did not end nothing is compared, and of one that counts wrongly only the totals.
[[nodiscard]] Annotated annotated(const RunReport& run, const std::string& source,
                                  const CaseResult* solution);

}  // namespace histolab::grader

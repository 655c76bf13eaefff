// Annotated: a source, line by line, with each line's cost and findings and, for a lab's kernel,
// the counters in which it exceeds the solution. listing.h prints it, listing_html.h makes a page
// of it.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "grader/pipeline/counter_gap.h"
#include "grader/report/report.h"

namespace histolab::grader {

// The columns in the margin (docs/counters.md, "By source line"). A column that does not apply
// to the line is nullopt.
struct LineCost {
  std::uint64_t requests = 0;
  std::optional<double> sectors;           // per global request
  std::optional<std::uint64_t> conflicts;  // of shared memory requests
  double lanes = 0;                        // active lanes per request
  std::optional<std::uint64_t> degree;     // the most lanes of one atomic request on one address
  std::uint64_t barriers = 0;              // warps that arrived
};
[[nodiscard]] LineCost cost_of(const reference::Traffic& traffic);

struct AnnotatedLine {
  int number = 0;
  std::string code;  // flat (code_text.h)
  LineCost cost;
  std::vector<const kernels::Finding*> findings;  // with this line as `line` or `other_line`
  std::vector<const CounterGap*> remarks;
};

// An annotated source. Its pointers refer to `gaps` and to the findings that it was made from.
struct Annotated {
  std::string file;  // as in its findings; empty for the student's one file
  std::vector<AnnotatedLine> lines;
  std::optional<LineCost> elsewhere;  // accesses outside of the file's lines
  LineCost all;
  // The solution's totals; nullopt without a solution, or if the kernel is the solution.
  std::optional<LineCost> solution;
  std::vector<const kernels::Finding*> unplaced;  // findings outside of the file's lines
  std::vector<CounterGap> gaps;

  Annotated() = default;
  Annotated(const Annotated&) = delete;
  Annotated& operator=(const Annotated&) = delete;
  Annotated(Annotated&&) = default;
  Annotated& operator=(Annotated&&) = default;
};

// `lines` are those of this file, `all` is the sum of its launches. Findings in other files are
// ignored.
[[nodiscard]] Annotated annotated(const std::string& source, std::string file,
                                  std::span<const reference::LineCounters> lines,
                                  const reference::Traffic& all,
                                  std::span<const kernels::Finding> findings);

// `solution` is the same launch of the lab's solution, or null. A launch that did not end is not
// compared. For wrong results, only the totals are.
[[nodiscard]] Annotated annotated(const RunReport& run, const std::string& source,
                                  const CaseResult* solution);

}  // namespace histolab::grader

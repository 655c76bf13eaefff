// The listing as a web page: one file that needs no network, in light and dark mode, wide and
// narrow.
//
// It has a table per kernel. Counters are columns whose background gets darker with a line's cost.
// Findings and remarks are below their lines, and the totals next to the solution's. The page has
// no scripts and forbids them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "grader/listing/program_listing.h"
#include "grader/report/report.h"

namespace histolab::grader {

struct ExplainedKernel {
  RunReport run;  // may have failed to compile
  std::string source;
  std::optional<CaseResult> solution;  // as for `annotated`
  reference::Task task;                // of the kernel
};

[[nodiscard]] std::string listing_html(const std::vector<ExplainedKernel>& kernels);
// A table per file of a program that ran on the emulator.
[[nodiscard]] std::string listing_html(const ExplainedProgram& program);

}  // namespace histolab::grader

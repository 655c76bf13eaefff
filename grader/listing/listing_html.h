// The listing as a web page: one file that needs no other and no network, for light and dark, wide
// and narrow.
//
// A table for each kernel: counters as columns whose background is the darker the more a line
// costs, findings and remarks under their lines, the totals beside the solution's. Scripts have no
// place in it, and the page itself forbids them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "grader/report/report.h"

namespace histolab::grader {

struct ExplainedKernel {
  RunReport run;  // compiled or not
  std::string source;
  std::optional<CaseResult> solution;  // as for `annotated`
  reference::Task task;                // the kernel's
};

[[nodiscard]] std::string listing_html(const std::vector<ExplainedKernel>& kernels);

}  // namespace histolab::grader

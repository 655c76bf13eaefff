// Expectation: the verdict that grading an attempt must give, from attempts/<name>/expect.json.
// docs/labs.md describes the format.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "grader/lab/lab.h"
#include "grader/report/report.h"
#include "reference/result.h"

namespace histolab::grader {

struct ExpectedFinding {
  kernels::FindingKind kind = kernels::FindingKind::unsupported;
  std::string variable;  // if empty, any variable
  int line = 0;          // one of the finding's two lines
  int other_line = 0;    // if 0, any; otherwise the finding must have exactly these two lines
};

struct Expectation {
  std::string status;                      // the name of a Verdict
  std::string check;                       // the first failing check; empty if the status is enough
  std::optional<ExpectedFinding> finding;  // if nullopt, no finding may count against the kernel
  int line = 0;                            // of the compile error, or named by the check; 0 if any
  std::string why;                         // the explanation that a teacher would give
};

// Returns an Error with file and position, as for lab.json.
[[nodiscard]] Result<Expectation> load_expectation(const std::string& file, const LabSpec& lab);

// Returns one sentence for each unmet part of the expectation.
[[nodiscard]] std::vector<std::string> unmet(const Expectation& expected, const LabResult& got,
                                             const LabSpec& lab);

}  // namespace histolab::grader

// Expectation: what attempts/<name>/expect.json says that grading the attempt must find.
// docs/labs.md is the format.
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
  std::string variable;  // empty: any
  int line = 0;          // one of the finding's two lines
  int other_line = 0;    // 0: any; else the two lines of the finding are these two
};

struct Expectation {
  std::string status;  // a Verdict's name
  std::string check;   // the first failing check; empty where the status says it all
  std::optional<ExpectedFinding> finding;  // nullopt: no finding that a check counts
  int line = 0;     // of a compile_error, or the one that the check names; 0: any
  std::string why;  // what a teacher would say
};

// Error: file and place, as for lab.json.
[[nodiscard]] Result<Expectation> load_expectation(const std::string& file, const LabSpec& lab);

// What of the expectation does not hold, one sentence each; empty when all of it does.
[[nodiscard]] std::vector<std::string> unmet(const Expectation& expected, const LabResult& got,
                                             const LabSpec& lab);

}  // namespace histolab::grader

// Verdict: what `histolab grade --json` says of one kernel, as far as it is drawn;
// docs/report.schema.json.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "grader/words/seen.h"
#include "reference/result.h"
#include "viewer/model/run_summary.h"

namespace histolab::viewer {

struct VerdictCheck {
  std::string id, title, status;  // "passed", "failed", "not_run"
  grader::Seen seen;
  std::string hint;  // what the lab advises
  int score = 0, max_score = 0, line = 0;
};

struct Verdict {
  std::string lab, status, message, sha256;  // sha256: of the text that was judged
  std::optional<int> score;                  // none: the machine was at fault, and it is no mark
  int max_score = 0;
  bool quick = false;  // some cases, and the checks of time, were left out
  std::vector<VerdictCheck> checks;
  std::vector<Finding> findings;
  std::vector<Diagnostic> diagnostics;

  [[nodiscard]] bool passed() const { return status == "passed"; }
  // The first that failed, else the first that was not run; nullptr: all passed.
  [[nodiscard]] const VerdictCheck* first_failure() const;
  // "failed: 7 of 9 points", "does not compile".
  [[nodiscard]] std::string headline() const;
};

// Error: it is no report with one lab.
[[nodiscard]] Result<Verdict> verdict_in(const nlohmann::json& report);

}  // namespace histolab::viewer

// Verdict: the output of `histolab grade --json` for one kernel (docs/report.schema.json), reduced
// to what the viewer draws.
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
  std::string hint;  // the lab's advice
  int score = 0, max_score = 0, line = 0;
};

struct Verdict {
  std::string lab, status, message, sha256;  // sha256: of the graded text
  std::optional<int> score;                  // nullopt if the machine was at fault
  int max_score = 0;
  bool quick = false;  // some cases and the checks of time were skipped
  std::vector<VerdictCheck> checks;
  std::vector<Finding> findings;
  std::vector<Diagnostic> diagnostics;

  [[nodiscard]] bool passed() const { return status == "passed"; }
  // Returns the first check that failed, else the first that was not run, or nullptr if all passed.
  [[nodiscard]] const VerdictCheck* first_failure() const;
  // Returns for example "failed: 7 of 9 points" or "does not compile".
  [[nodiscard]] std::string headline() const;
};

// Returns an Error unless `report` is a report with exactly one lab.
[[nodiscard]] Result<Verdict> verdict_in(const nlohmann::json& report);

}  // namespace histolab::viewer

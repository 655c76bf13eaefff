// Outcome: the result of judging one check, before it gets points.
#pragma once

#include <optional>
#include <utility>

#include "grader/lab/lab.h"
#include "grader/report/report.h"
#include "kernels/finding.h"

namespace histolab::grader {

struct Outcome : Judgement {
  bool passed = false;
  std::optional<kernels::FindingKind> kind =
      std::nullopt;                               // kind of the finding that the check reports
  std::optional<Symptom> symptom = std::nullopt;  // set if the counts are wrong
  bool was_not_run = false;  // true if it failed only because a case was skipped
};

// Returns a result without points.
[[nodiscard]] inline CheckResult unjudged(const CheckSpec& check, Judgement judgement) {
  return {std::move(judgement),         check.id, check.title,
          CheckResult::Status::not_run, 0,        check.points};
}

[[nodiscard]] inline Outcome passed(Seen seen) { return {{std::move(seen)}, true}; }
[[nodiscard]] inline Outcome failed(Seen seen, int line = 0) { return {{std::move(seen), line}}; }

}  // namespace histolab::grader

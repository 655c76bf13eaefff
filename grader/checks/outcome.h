// Outcome: what judging one check comes to, before points are given for it.
#pragma once

#include <optional>
#include <utility>

#include "grader/lab/lab.h"
#include "grader/report/report.h"
#include "kernels/finding.h"

namespace histolab::grader {

struct Outcome : Judgement {
  bool passed = false;
  std::optional<kernels::FindingKind> kind = std::nullopt;  // of the finding that it is about
  std::optional<Symptom> symptom = std::nullopt;            // of wrong counts
  bool was_not_run = false;  // it failed only because a case was skipped
};

// No points are given yet.
[[nodiscard]] inline CheckResult unjudged(const CheckSpec& check, Judgement judgement) {
  return {std::move(judgement),         check.id, check.title,
          CheckResult::Status::not_run, 0,        check.points};
}

[[nodiscard]] inline Outcome passed(Seen seen) { return {{std::move(seen)}, true}; }
[[nodiscard]] inline Outcome failed(Seen seen, int line = 0) { return {{std::move(seen), line}}; }

}  // namespace histolab::grader

// Outcome: what judging one check comes to, before points are given for it.
#pragma once

#include <optional>
#include <string>

#include "grader/lab/lab.h"
#include "grader/words/seen.h"
#include "kernels/finding.h"

namespace histolab::grader {

struct Outcome {
  bool passed = false;
  Seen seen;
  int line = 0;
  std::optional<kernels::FindingKind> kind = std::nullopt;  // of the finding that it is about
  std::optional<Symptom> symptom = std::nullopt;            // of wrong counts
  std::optional<kernels::Finding> cause = std::nullopt;     // this and the next three as CheckResult has them
  bool tells_cause = false;
  std::string about = {};
  std::size_t launch = 0;
};

}  // namespace histolab::grader

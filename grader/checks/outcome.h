// Outcome: what judging one check comes to, before points are given for it.
#pragma once

#include <optional>
#include <string>

#include "grader/lab/lab.h"
#include "kernels/finding.h"

namespace histolab::grader {

struct Outcome {
  bool passed = false;
  std::string message;
  int line = 0;
  std::optional<kernels::FindingKind> kind = std::nullopt;  // of the finding that it is about
  std::optional<Symptom> symptom = std::nullopt;            // of wrong counts
  std::optional<kernels::Finding> cause = std::nullopt;     // what the emulator saw that explains it, in the case that the message is about
  std::string about = {};                                   // of a counter or a time that is wrong: the id of that case
  std::size_t launch = 0;                                   // and the launch of it
};

}  // namespace histolab::grader

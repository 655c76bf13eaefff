// Verdicts on the page: a word, a letter for table cells, and a class of the style sheet. So colour
// is never the only sign.
#pragma once

#include <array>

#include "grader/report/report.h"

namespace histolab::class_report {

struct VerdictLook {
  grader::Verdict verdict;
  const char* word;    // "does not compile"
  const char* letter;  // next to the score in the class table; empty if the score is enough
  const char* look;    // class of the style sheet
};

// In the order of bars and columns: best first, the machine's failures last.
inline constexpr std::array verdict_looks = {
    VerdictLook{grader::Verdict::passed, "passed", "", "pass"},
    VerdictLook{grader::Verdict::failed, "failed", "", "fail"},
    VerdictLook{grader::Verdict::compile_error, "does not compile", "C", "stop"},
    VerdictLook{grader::Verdict::timeout, "ran out of time", "T", "stop"},
    VerdictLook{grader::Verdict::crashed, "crashed", "X", "stop"},
    VerdictLook{grader::Verdict::refused, "refused", "R", "refu"},
    VerdictLook{grader::Verdict::not_attempted, "not attempted", "-", "none"},
    VerdictLook{grader::Verdict::needs_review, "to be reviewed", "?", "mach"},
    VerdictLook{grader::Verdict::infrastructure_error, "the machine failed", "?", "mach"},
};

[[nodiscard]] constexpr std::size_t index_of(grader::Verdict verdict) {
  for (std::size_t i = 0; i < verdict_looks.size(); ++i)
    if (verdict_looks[i].verdict == verdict) return i;
  return 0;
}
[[nodiscard]] constexpr const VerdictLook& look_of(grader::Verdict verdict) {
  return verdict_looks[index_of(verdict)];
}

}  // namespace histolab::class_report

// Seen: what a check saw of a kernel, in the parts in which it is told: as one sentence in reports,
// classes' forms and lists of problems, as a remark of some lines to a student (feedback/advice.h).
// Checks make it and the stages behind them add to it; nobody takes a sentence apart again.
#pragma once

#include <string>

namespace histolab::grader {

// Each part may be empty, and none ends with a full stop.
struct Seen {
  // "case mixed-31 (mixed, 31 bytes, grid 8 x block 4), launch 1 of 2"; empty: it is not about one
  // case.
  std::string where = {};
  std::string what = {};  // "expected 4 in bin 1 (e-h), got 3"
  bool of_where = false;  // `what` is said of `where` itself: "was stopped: ..."
  std::string aside =
      {};  // in parentheses: "3 of 4 cases fail", "a model: half of its times are ..."
  std::string why =
      {};  // what stands behind it: "line 9: ...", "on the NVIDIA H200 9 of 12 launches were wrong"
  std::string next = {};  // what the emulator advises; the lab's advice is CheckResult::hint
  // "the kernel does not export coarsening_factor, so it was launched with 8"
  std::string note = {};

  [[nodiscard]] std::string sentence(
      const std::string& hint = {}) const;  // behind it the hint, where there is one
};

}  // namespace histolab::grader

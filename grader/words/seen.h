// Seen: the observation of a check, in parts. Reports and lists of problems join the parts into one
// sentence; a student gets a remark of several lines (feedback/advice.h). Checks fill in the parts,
// later stages add some, and no code parses the sentence.
#pragma once

#include <string>

namespace histolab::grader {

// Each part may be empty, and none ends with a full stop.
struct Seen {
  // "case mixed-31 (mixed, 31 bytes, grid 8 x block 4), launch 1 of 2"; empty if it is not about
  // one case.
  std::string where = {};
  std::string what = {};  // "expected 4 in bin 1 (e-h), got 3"
  bool of_where = false;  // `where` is the subject of `what`: "was stopped: ..."
  // In parentheses: "3 of 4 cases fail", "a model: half of its times are ..."
  std::string aside = {};
  // The reason: "line 9: ...", "on the NVIDIA H200 9 of 12 launches were wrong"
  std::string why = {};
  std::string next = {};  // advice of the emulator; the lab's advice is CheckResult::hint
  // "the kernel does not export coarsening_factor, so it was launched with 8"
  std::string note = {};

  // Joins the parts, and appends the hint if it is not empty.
  [[nodiscard]] std::string sentence(const std::string& hint = {}) const;
};

}  // namespace histolab::grader

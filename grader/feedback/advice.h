// Advice: the text for a student whose lab did not pass. It reports one problem at a time: what
// happened, where, why it matters and what to try. All of it is plain values. The text of a remark
// takes at most six lines of 80 columns; source lines come on top of that (advice_test).
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "grader/report/report.h"

namespace histolab::grader {

struct Remark {
  struct Place {
    // In the student's file. Column 0 means the whole statement.
    int line = 0, column = 0;
  };
  std::string where = {};          // the case that showed it; empty if it concerns no case
  std::string what = {};           // one sentence; so are the next two
  std::string why = {};            // why it matters, or the cause of a wrong result; may be empty
  std::string next = {};           // a suggestion
  std::vector<Place> places = {};  // empty if no line is known; a race has two
};

struct Advice {
  std::string headline;         // "no_findings failed (0 of 2 points)"
  std::vector<Remark> remarks;  // at least one; each compile error and warning has its own
  std::size_t more = 0;         // compile errors without a remark
  bool of_quiz = false;         // the next step is the quiz, not a change of the kernel
  bool shortened = false;       // a text was cut to six lines; never in the course's own labs
};

// Returns nullopt if the lab passed, was not attempted, or the machine failed.
[[nodiscard]] std::optional<Advice> advice_for(const LabResult& lab);
// The remark on one check that failed or was not run.
[[nodiscard]] Remark remark_for(const LabResult& lab, const CheckResult& check);

// The command that opens the debugger in the failed case and in the finding's thread: "debug
// 04-privatization --case mixed-31 --block 8 --thread 2". Empty if no launch of a case failed.
[[nodiscard]] std::string debug_words(const LabResult& lab);

// One sentence that says why such a finding matters on a GPU.
[[nodiscard]] std::string_view why_it_matters(const kernels::Finding& finding);

inline constexpr std::size_t most_advice_lines = 6;

// The remarks with their source lines, without the headline.
[[nodiscard]] std::string to_text(const Advice& advice, const Submission& submission,
                                  std::size_t width = 80);
// Only the sentences of a remark.
[[nodiscard]] std::string to_text(const Remark& remark, std::size_t width = 80);

}  // namespace histolab::grader

// Advice: what a student is told of a lab that did not pass. One thing at a time: what happened, where, why it matters and
// what to try. Plain values; the text of each remark takes six lines of 80 columns at most, besides the source lines (advice_test).
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
    int line = 0, column = 0;  // of the student's file; column 0: the whole statement
  };
  std::string where = {};            // of the case in which it was seen; empty: it is not about one
  std::string what = {};             // a sentence, as the next two
  std::string why = {};              // it matters; or, of a wrong result, what caused it; may be empty
  std::string next = {};             // what to try
  std::vector<Place> places = {};    // none: no line is to blame; two of a race
};

struct Advice {
  std::string headline;         // "no_findings failed (0 of 2 points)"
  std::vector<Remark> remarks;  // one at least; compile errors and warnings have one each
  std::size_t more = 0;         // compile errors that are not among them
  bool of_quiz = false;         // what is to be done is no change of the kernel
  bool shortened = false;       // something took more than six lines, and was cut; nothing of the course does
};

// nullopt: it passed, was not attempted, or the machine failed.
[[nodiscard]] std::optional<Advice> advice_for(const LabResult& lab);

// Why such a finding matters on a GPU: one sentence.
[[nodiscard]] std::string_view why_it_matters(const kernels::Finding& finding);

inline constexpr std::size_t most_advice_lines = 6;

// The remarks with their source lines, without the headline.
[[nodiscard]] std::string to_text(const Advice& advice, const Submission& submission, std::size_t width = 80);
// A remark's sentences alone.
[[nodiscard]] std::string to_text(const Remark& remark, std::size_t width = 80);

}  // namespace histolab::grader

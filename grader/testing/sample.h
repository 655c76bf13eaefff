// What the grader's tests work on: a lab in a temporary folder.
#pragma once

#include <string>

#include "grader/lab/lab.h"
#include "grader/testing/files.h"

namespace histolab::grader::testing {

[[nodiscard]] bool fits_in_80_columns(const std::string& text);
// `text` with every `from` replaced.
[[nodiscard]] std::string replaced(std::string text, const std::string& from,
                                   const std::string& to);

// A lab.json with three checks (matches_reference 5, no_findings 3, coalesced 2) and three cases
// (two of them quick).
[[nodiscard]] std::string sample_lab_json();
// With a quiz worth 3 points; its questions are not there yet (grader/quiz/testing/sample_quiz.h
// has some).
[[nodiscard]] std::string sample_lab_json_with_quiz();
// A whole lab under `labs`/02-sample whose kernels are scripts of the FakeDevice: the course holds.
void put_sample_lab(const std::string& labs);
// The same, as load_lab gives it; ends the test run when it does not load.
[[nodiscard]] LabSpec sample_lab_in(const std::string& labs);
// Without the files.
[[nodiscard]] LabSpec sample_lab();

}  // namespace histolab::grader::testing

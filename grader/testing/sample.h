// The sample lab of the grader's tests, in a temporary folder.
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
// The same with a quiz worth 3 points. Its questions are still missing;
// grader/quiz/testing/sample_quiz.h has some.
[[nodiscard]] std::string sample_lab_json_with_quiz();
// Writes a complete lab to `labs`/02-sample. Its kernels are scripts of the FakeDevice, and
// check_course() passes.
void put_sample_lab(const std::string& labs);
// The same lab, loaded by load_lab(). Ends the test run if it does not load.
[[nodiscard]] LabSpec sample_lab_in(const std::string& labs);
// The same lab without its files.
[[nodiscard]] LabSpec sample_lab();

}  // namespace histolab::grader::testing

// What the quiz's tests work on: a quiz of four questions, one of each kind, and a small file of
// measurements.
#pragma once

#include <string>

#include "grader/quiz/quiz.h"

namespace histolab::quiz::testing {

// one-address (number), final-values (set), which-call (choice), which-kernel (measured).
[[nodiscard]] std::string sample_quiz_json();
// `folder`/sample.json, of the device "SLOW 1".
void put_sample_measurements(const std::string& folder);
// As load_quiz gives it, for the lab 02-sample; ends the test run when it does not load.
[[nodiscard]] Quiz sample_quiz();

}  // namespace histolab::quiz::testing

// Sample for the quiz tests: four questions, one of each kind, and a small file of measurements.
#pragma once

#include <string>

#include "grader/quiz/quiz.h"

namespace histolab::quiz::testing {

// The questions are one-address (number), final-values (set), which-call (choice) and which-kernel
// (measured).
[[nodiscard]] std::string sample_quiz_json();
// Writes `folder`/sample.json with measurements of the device "SLOW 1".
void put_sample_measurements(const std::string& folder);
// Returns the quiz that load_quiz reads for the lab 02-sample. Ends the test run if it does not
// load.
[[nodiscard]] Quiz sample_quiz();

}  // namespace histolab::quiz::testing

// Made-up classes for the report's tests. No kernel runs.
#pragma once

#include <cstddef>
#include <string>

#include "grader/batch/class_results.h"

namespace histolab::class_report::testing {

// Three labs (02-atomic-add, 04-privatization with times, 05-coarsening) and eight students: one
// passed all; one has a race; one has a kernel that does not compile and a refused one; one has a
// hostile name, messages, source and fields; one submitted nothing; for one the machine failed; one
// was late; two have the same name.
[[nodiscard]] batch::ClassResults small_class();

// Six labs. Each student's kernels differ from all others. Lines are as long as in real kernels.
[[nodiscard]] batch::ClassResults large_class(std::size_t students, std::size_t lines);

// Thirteen labs, with long names of labs, students and checks, and long lines of code.
[[nodiscard]] batch::ClassResults wide_class();

// A text with everything that must not become markup: tags, quotes, an event handler, entities,
// control characters, invalid UTF-8, and characters that change the direction of writing.
[[nodiscard]] std::string hostile_text();

}  // namespace histolab::class_report::testing

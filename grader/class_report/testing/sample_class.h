// Classes for the tests of the report: made results, no kernel is run.
#pragma once

#include <cstddef>
#include <string>

#include "grader/batch/class_results.h"

namespace histolab::class_report::testing {

// Three labs (02-atomic-add, 04-privatization with times, 05-coarsening) and eight students: all
// passed; a race; a kernel that does not compile and one that is refused; a hostile name with
// hostile messages, source and fields; nothing handed in; a machine that failed; a late one; two of
// one name.
[[nodiscard]] batch::ClassResults small_class();

// So many students, six labs, each kernel another one of so many lines, of the length that lines of
// kernels have.
[[nodiscard]] batch::ClassResults large_class(std::size_t students, std::size_t lines);

// Thirteen labs with long names, students with long names, long names of checks, and wide lines of
// code.
[[nodiscard]] batch::ClassResults wide_class();

// What must never become markup, in one text: tags, quotes, an event handler, entities, control
// characters, bad UTF-8 and a turned direction of writing.
[[nodiscard]] std::string hostile_text();

}  // namespace histolab::class_report::testing

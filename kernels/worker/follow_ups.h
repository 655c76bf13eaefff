// One mistake, one message: drops g++ diagnostics that only follow from one already reported.
//
// It looks at g++'s own words, so it comes before they are put into others.
#pragma once

#include <vector>

#include "kernels/device.h"
#include "kernels/worker/source_text.h"

namespace histolab::kernels::worker {

void drop_follow_ups(std::vector<Diagnostic>& diagnostics, const SourceText& source);

// g++'s message after it has lost count of the braces, or began to count wrongly.
[[nodiscard]] bool may_be_of_a_brace(const Diagnostic& diagnostic);

// Returns whether the line is the head of a block that ends with `:`, as in Python.
[[nodiscard]] bool begins_block_by_colon(const SourceText& source, int line);

}  // namespace histolab::kernels::worker

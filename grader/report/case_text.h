// A case in one line of text, with all that a reader needs to run it again.
#pragma once

#include <cstddef>
#include <string>

#include "grader/report/report.h"

namespace histolab::grader {

// "case mixed-256 (mixed, 65 536 bytes, grid 256 x block 256)". A launch of several, numbered from
// 1, adds "launch 2 of 3"; 0 means the whole case.
[[nodiscard]] std::string described(const CaseResult& result, std::size_t launch = 0);

}  // namespace histolab::grader

// describe: the text for a wrong element of the output.
#pragma once

#include <cstdint>
#include <string>

#include "grader/report/report.h"
#include "reference/task.h"

namespace histolab::grader {

// "expected 166 012 in bin 3 (m-p), got 41 377"; for other tasks "expected 1 for ticket 17, got 0".
[[nodiscard]] std::string describe(const Mismatch& wrong, const LaunchShape& shape,
                                   const reference::Task& task);
// The consequence for a count: ": 12 too many", ": 75 % are missing", or ": 75 % of the updates are
// lost" if there was a race. Empty for tasks that do not count.
[[nodiscard]] std::string consequence(const Mismatch& wrong, const reference::Task& task,
                                      bool race);
// Distance of the two values. If it is not a number, or too large, the expected value plus 1.
[[nodiscard]] std::uint64_t distance(double expected, double got);

}  // namespace histolab::grader

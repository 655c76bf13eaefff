// What a person is told of an element of the output that is not what it should be.
#pragma once

#include <cstdint>
#include <string>

#include "grader/report/report.h"
#include "reference/task.h"

namespace histolab::grader {

// "expected 166 012 in bin 3 (m-p), got 41 377"; of another task: "expected 1 for ticket 17, got
// 0".
[[nodiscard]] std::string told(const Mismatch& wrong, const LaunchShape& shape,
                               const reference::Task& task);
// What that means where it is one of counts: ": 75 % of the updates are lost" if there was a race,
// else ": 75 % are missing";
// ": 12 too many". Else nothing.
[[nodiscard]] std::string consequence(const Mismatch& wrong, const reference::Task& task,
                                      bool race);
// How far the value is off; of what is no number, by all that was expected and one more.
[[nodiscard]] std::uint64_t distance(double expected, double got);

}  // namespace histolab::grader

// Charts as plain SVG: rectangles, circles and lines. The style sheet has their colours. Each chart
// has a label for screen readers.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <vector>

#include "grader/class_report/overview.h"
#include "grader/html/html.h"

namespace histolab::class_report {

// Students per part of the scale. The last bar is full marks.
[[nodiscard]] grader::Html score_chart(const std::array<std::size_t, 11>& students);
// The same without labels, for a table cell.
[[nodiscard]] grader::Html small_score_chart(const std::array<std::size_t, 11>& students,
                                             double max_score);
// One bar, divided by verdict.
[[nodiscard]] grader::Html verdict_bar(const LabCount& lab);
// A point per kernel, by its time as a multiple of the solution's: from a quarter to 64 times, on a
// logarithmic scale.
[[nodiscard]] grader::Html time_strip(const std::vector<double>& ascending);
// A bar for a part of a whole.
[[nodiscard]] grader::Html share_bar(std::size_t part, std::size_t whole);

}  // namespace histolab::class_report

// Charts as plain SVG: rectangles, circles and lines whose colours are the style sheet's. Each says
// in words what it shows to who cannot see it.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <vector>

#include "grader/class_report/overview.h"

namespace histolab::class_report {

// How many students lie in each part of the scale, the last bar being full marks.
[[nodiscard]] std::string score_chart(const std::array<std::size_t, 11>& students);
// The same without labels, for a table's cell.
[[nodiscard]] std::string small_score_chart(const std::array<std::size_t, 11>& students,
                                            double max_score);
// One bar, divided by how a lab ended.
[[nodiscard]] std::string verdict_bar(const LabCount& lab);
// A point for each kernel, by its time as a multiple of the solution's, from a quarter to 64 times
// on a logarithmic scale.
[[nodiscard]] std::string time_strip(const std::vector<double>& ascending);
// What part of a whole.
[[nodiscard]] std::string share_bar(std::size_t part, std::size_t whole);

}  // namespace histolab::class_report

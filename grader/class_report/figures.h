// Figures: a kernel's memory counters next to those of the lab's solution, on the largest case that
// both completed.
#pragma once

#include <array>
#include <optional>
#include <string>

#include "grader/report/report.h"

namespace histolab::class_report {

struct Column {
  const char* title;
  const char* meaning;
  bool more_is_worse;
};
inline constexpr std::array figure_columns = {
    Column{"sectors per request",
           "32-byte sectors for each request of a warp, global loads: 1 is best, 32 worst", true},
    Column{"global atomic updates", "atomic updates in global memory", true},
    Column{"shared atomic updates", "atomic updates in shared memory", true},
    Column{"bank conflicts", "bank conflicts in shared memory", true},
    Column{"lanes on one address",
           "threads of one atomic request on one address, on average: 1 is best, 32 worst", true},
    Column{"active lanes", "participating threads of a warp per request, of 32", false},
};

struct Figures {
  std::string case_id;
  std::array<double, figure_columns.size()> own{}, solution{};
};
// Returns nullopt if no case completed in both results.
[[nodiscard]] std::optional<Figures> figures_of(const grader::LabResult& own,
                                                const grader::LabResult& solution);

// True if the kernel's figure is at least 1.5 times worse than the solution's.
[[nodiscard]] bool is_worse(const Column& column, double own, double solution);

}  // namespace histolab::class_report

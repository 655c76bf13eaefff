// Divides a class into chunks, one per task: a pure function of the submissions and of the times
// that their labs' solutions took.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "grader/batch/groups.h"

namespace histolab::cluster {

// Planned seconds of a task.
inline constexpr double most_seconds = 60, least_seconds = 10;
// A small class gets about so many tasks, unless they would take less than least_seconds.
inline constexpr double tasks_wanted = 16;

struct Sizes {
  // Seconds per submission, by lab: the time of the lab's solution on a node.
  std::map<std::string, double> seconds;
  std::size_t works = 0;  // submissions per task, if the user chose a number; else 0
};

// The planned seconds of one task.
[[nodiscard]] double seconds_of_task(double seconds_of_class);
// The expected seconds of all groups together.
[[nodiscard]] double seconds_of(const std::vector<std::vector<batch::Task>>& groups,
                                const Sizes& sizes);

// The time limit of a task: ten times the longest expected task, because kernels that end at a
// limit take longer than solutions.
[[nodiscard]] unsigned minutes_of_task(const std::vector<std::vector<batch::Task>>& groups,
                                       const Sizes& sizes);

// Indices of the groups of each task, in order. Submissions to one lab stay together, because a
// task compiles and launches the solution of each lab that it meets.
[[nodiscard]] std::vector<std::vector<std::size_t>> divide_into_chunks(
    const std::vector<std::vector<batch::Task>>& groups, const Sizes& sizes);

}  // namespace histolab::cluster

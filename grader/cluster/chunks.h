// How a class is divided into tasks. A pure function of what is to be graded and of what it takes.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "grader/batch/groups.h"

namespace histolab::cluster {

inline constexpr double most_seconds = 60, least_seconds = 10;  // that a task should take
inline constexpr double tasks_wanted = 16;  // of a small class: as long as each takes least_seconds

struct Sizes {
  std::map<std::string, double>
      seconds;            // of one work, by its lab: what the lab's solution took on a node
  std::size_t works = 0;  // of a task, if somebody has said so; 0: by time
};

// What a task of so long a class should take.
[[nodiscard]] double seconds_of_task(double seconds_of_class);
[[nodiscard]] double seconds_of(const std::vector<std::vector<batch::Task>>& groups,
                                const Sizes& sizes);

// After which a task is ended: ten times what the longest should take, since kernels that end by a
// limit take longer than solutions.
[[nodiscard]] unsigned minutes_of_task(const std::vector<std::vector<batch::Task>>& groups,
                                       const Sizes& sizes);

// Indices of groups, a list a task, in their order: works of one lab stay together, since a task
// compiles and launches the solution of each lab that it meets.
[[nodiscard]] std::vector<std::vector<std::size_t>> divided(
    const std::vector<std::vector<batch::Task>>& groups, const Sizes& sizes);

}  // namespace histolab::cluster

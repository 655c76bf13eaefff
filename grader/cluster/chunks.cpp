#include "grader/cluster/chunks.h"

#include <algorithm>
#include <cmath>

namespace histolab::cluster {
namespace {

double seconds_of(const std::vector<batch::Task>& group, const Sizes& sizes) {
  constexpr double unknown = 1, nothing_to_run = 0.001;  // seconds
  if (group.front().kernel.empty()) return nothing_to_run;
  const auto known = sizes.seconds.find(group.front().lab);
  return known == sizes.seconds.end() ? unknown : known->second;
}

}  // namespace

double seconds_of_task(double seconds_of_class) {
  return std::clamp(seconds_of_class / tasks_wanted, least_seconds, most_seconds);
}

double seconds_of(const std::vector<std::vector<batch::Task>>& groups, const Sizes& sizes) {
  double sum = 0;
  for (const auto& group : groups) sum += seconds_of(group, sizes);
  return sum;
}

unsigned minutes_of_task(const std::vector<std::vector<batch::Task>>& groups, const Sizes& sizes) {
  double longest = 0;
  for (const std::vector<std::size_t>& chunk : divide_into_chunks(groups, sizes)) {
    double sum = 0;
    for (const std::size_t i : chunk) sum += seconds_of(groups[i], sizes);
    longest = std::max(longest, sum);
  }
  constexpr double least_minutes = 15;
  return static_cast<unsigned>(std::ceil(std::max(least_minutes, 10 * longest / 60)));
}

std::vector<std::vector<std::size_t>> divide_into_chunks(
    const std::vector<std::vector<batch::Task>>& groups, const Sizes& sizes) {
  const double wanted = seconds_of_task(seconds_of(groups, sizes));
  std::vector<std::vector<std::size_t>> chunks;
  double seconds = 0;
  for (std::size_t i = 0; i < groups.size(); ++i) {
    const double own = seconds_of(groups[i], sizes);
    bool is_full = chunks.empty() || seconds + own > wanted;
    if (!chunks.empty() && sizes.works > 0) is_full = chunks.back().size() >= sizes.works;
    if (is_full) {
      chunks.emplace_back();
      seconds = 0;
    }
    chunks.back().push_back(i);
    seconds += own;
  }
  return chunks;
}

}  // namespace histolab::cluster

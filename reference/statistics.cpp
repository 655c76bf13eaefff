#include "reference/statistics.h"

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <cstdlib>

namespace histolab::reference {
namespace {

// Returns the largest k such that P(at most k of n fair coins show heads) <= 2.5 %; 0 if there is
// no such k. Then the (k + 1)-th smallest and the (k + 1)-th largest of n samples enclose the
// median with 95 %.
std::size_t samples_below(std::size_t n) {
  double probability = 1;
  for (std::size_t i = 0; i < n; ++i) probability /= 2;
  double sum = 0;
  std::size_t k = 0;
  for (; k < n / 2; ++k) {
    sum += probability;
    if (sum > 0.025) break;
    probability *= static_cast<double>(n - k) / static_cast<double>(k + 1);
  }
  return k == 0 ? 0 : k - 1;
}

double middle(const std::vector<double>& sorted) {
  const std::size_t half = sorted.size() / 2;
  return sorted.size() % 2 == 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
}

}  // namespace

MedianInterval median_interval(std::vector<double> samples) {
  if (samples.empty()) return {};
  std::sort(samples.begin(), samples.end());
  const std::size_t below = samples_below(samples.size());
  return {middle(samples), samples[below], samples[samples.size() - 1 - below]};
}

double median(std::vector<double> samples) { return median_interval(std::move(samples)).median; }

double relative_spread(const MedianInterval& interval) {
  return interval.median > 0 ? (interval.high - interval.low) / 2 / interval.median : 0;
}

double six_digits(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.6g", value);
  return std::strtod(text, nullptr);
}

}  // namespace histolab::reference

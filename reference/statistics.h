// Statistics of repeated measurements: the median and its confidence interval.
#pragma once

#include <vector>

namespace histolab::reference {

struct MedianInterval {
  double median = 0;
  // Two of the samples. With six or more samples, the true median is between them in 95
  // % of all cases.
  double low = 0, high = 0;
};

// Works for any distribution, because it uses order statistics; the samples must be independent
// (Conover, Practical Nonparametric Statistics, on confidence intervals of quantiles). With fewer
// than six samples the interval is their full range, and its confidence is below 95 %. Returns all
// 0 if there are no samples.
[[nodiscard]] MedianInterval median_interval(std::vector<double> samples);

[[nodiscard]] double median(std::vector<double> samples);

// Rounds to six significant digits. Times from CUDA events are not more precise.
[[nodiscard]] double six_digits(double value);

// Returns half of the interval's width / the median, or 0 if the median is 0.
[[nodiscard]] double relative_spread(const MedianInterval& interval);

}  // namespace histolab::reference

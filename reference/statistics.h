// Statistics of repeated measurements: the median, and how well it is known.
#pragma once

#include <vector>

namespace histolab::reference {

struct MedianInterval {
  double median = 0;
  double low = 0, high = 0;  // two of the samples; with six or more the true median lies between them in 95 % of all cases
};

// Of any distribution: by order statistics, so nothing is assumed of the samples but that they are independent
// (Conover, Practical Nonparametric Statistics, on confidence intervals of quantiles). With fewer than six samples the interval
// is all of them and means less than 95 %. No samples: all 0.
[[nodiscard]] MedianInterval median_interval(std::vector<double> samples);

[[nodiscard]] double median(std::vector<double> samples);

// To six digits: CUDA events tell no more of a time.
[[nodiscard]] double six_digits(double value);

// Half of the interval's width over the median; 0 for a median of 0.
[[nodiscard]] double relative_spread(const MedianInterval& interval);

}  // namespace histolab::reference

#include "reference/timing_profile.h"

#include <cmath>

namespace histolab::reference {

double MeasuredCurve::at(double x) const {
  if (x <= points_.front().first) return first();
  for (std::size_t i = 1; i < points_.size(); ++i) {
    const auto& [x1, y1] = points_[i];
    if (x > x1) continue;
    const auto& [x0, y0] = points_[i - 1];
    return y0 * std::pow(y1 / y0, std::log(x / x0) / std::log(x1 / x0));
  }
  return last();
}

}  // namespace histolab::reference

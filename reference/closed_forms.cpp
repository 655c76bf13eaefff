#include "reference/closed_forms.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace histolab::reference {
namespace {

constexpr double ns_per_second = 1e9;

// Coefficients of x^0 to x^lanes.
using Series = std::vector<double>;

void multiply(Series& product, const Series& factor) {
  for (std::size_t k = product.size(); k-- > 0;) {
    double sum = 0;
    for (std::size_t i = 0; i <= k; ++i) sum += product[k - i] * factor[i];
    product[k] = sum;
  }
}

// Returns P(no bin has more than `most` of the lanes), a coefficient of a product of truncated
// exponential series. Neighbouring bins of equal probability form a power, which needs few
// multiplications.
double chance_of_at_most(std::uint32_t most, std::uint32_t lanes,
                         std::span<const double> probabilities) {
  Series product(lanes + 1, 0.0), power(lanes + 1);
  product[0] = 1;
  for (std::size_t begin = 0, end = 0; begin < probabilities.size(); begin = end) {
    const double p = probabilities[begin];
    while (end < probabilities.size() && probabilities[end] == p) ++end;
    if (p <= 0) continue;
    std::ranges::fill(power, 0.0);
    double term = 1;  // p^i / i!
    for (std::uint32_t i = 0; i <= std::min(most, lanes); ++i) {
      power[i] = term;
      term *= p / (i + 1);
    }
    for (std::size_t bins = end - begin; bins > 0; bins /= 2) {
      if (bins % 2 == 1) multiply(product, power);
      if (bins > 1) multiply(power, Series{power});
    }
  }
  return product[lanes] * std::tgamma(lanes + 1.0);
}

}  // namespace

double updates_per_second(double latency_ns) { return ns_per_second / latency_ns; }

double mean_latency_ns(double hit_rate, double hit_ns, double miss_ns) {
  return hit_rate * hit_ns + (1 - hit_rate) * miss_ns;
}

double updates_per_second_privatized(double private_ns, double commit_share) {
  return ns_per_second / (private_ns * (1 + commit_share));
}

double operations_per_second(double update_rate, double operations_per_update) {
  return update_rate * operations_per_update;
}

double operations_per_second(const InTurn& thread, double update_ns) {
  return ns_per_second * thread.operations /
         (thread.updates * update_ns + thread.operations * thread.operation_ns);
}

double hit_rate_of(const InTurn& thread, double operation_rate, double hit_ns, double miss_ns) {
  const double all_ns = ns_per_second * thread.operations / operation_rate;
  const double update_ns = (all_ns - thread.operations * thread.operation_ns) / thread.updates;
  return (miss_ns - update_ns) / (miss_ns - hit_ns);
}

double memory_bytes_per_second(double width_bits, double transfers_per_clock, double channels,
                               double ghz) {
  return width_bits / 8 * transfers_per_clock * channels * ghz * 1e9;
}

std::uint64_t sum_of_indices(std::uint32_t count) {
  return count == 0 ? 0 : std::uint64_t{count} * (count - 1) / 2;
}

double nanoseconds(double clocks, double ghz) { return clocks / ghz; }

double updates_per_second_over_addresses(double latency_ns, double hottest_share) {
  return updates_per_second(latency_ns) / hottest_share;
}

double expected_serialization(std::uint32_t lanes, std::span<const double> probabilities) {
  double expected = 0;
  for (std::uint32_t most = 0; most < lanes; ++most) {  // E[max] = sum of P(max > m)
    const double more = 1 - chance_of_at_most(most, lanes, probabilities);
    if (more < 1e-12) break;
    expected += more;
  }
  return expected;
}

double expected_serialization(std::uint32_t lanes, std::uint32_t bins) {
  return expected_serialization(lanes, std::vector<double>(bins, 1.0 / bins));
}

double expected_distinct(std::uint32_t lanes, std::span<const double> probabilities) {
  double distinct = 0;
  for (const double p : probabilities) distinct += 1 - std::pow(1 - p, lanes);
  return distinct;
}

std::vector<double> zipf(std::uint32_t bins, double exponent) {
  std::vector<double> chances(bins);
  double sum = 0;
  for (std::uint32_t k = 0; k < bins; ++k) sum += chances[k] = std::pow(k + 1.0, -exponent);
  for (double& chance : chances) chance /= sum;
  return chances;
}

double privatized_ns(const Privatization& of, double copies) {
  return of.updates * of.hottest_share / copies * of.update_ns + copies * of.commit_ns;
}

double best_copies(const Privatization& of) {
  return std::max(1.0, std::sqrt(of.updates * of.hottest_share * of.update_ns / of.commit_ns));
}

double updates_per_element_aggregated(std::span<const double> probabilities) {
  double alike = 0;
  for (const double p : probabilities) alike += p * p;
  return 1 - alike;
}

double elements_per_second(double bytes, double bytes_per_second, double updates,
                           double update_rate) {
  const double read =
      bytes > 0 ? bytes_per_second / bytes : std::numeric_limits<double>::infinity();
  const double update =
      updates > 0 ? update_rate / updates : std::numeric_limits<double>::infinity();
  return std::min(read, update);
}

}  // namespace histolab::reference

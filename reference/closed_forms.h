// Closed forms: how fast atomic updates can be, by arithmetic on a blackboard.
//
// These are the exercises of textbooks' chapters on atomic operations (D. Kirk and W. Hwu, Programming Massively Parallel
// Processors, is where most students meet them), derived here and not copied: one address takes one update at a time, so an
// update's latency is what bounds its rate; caches, privatization and aggregation change the latency, the number of
// addresses, or the number of updates. Latencies are in nanoseconds, rates in events per second, shares and probabilities
// from 0 to 1. They are pure functions of what a slider can set; what a real GPU does is in profiles/ and time_model.h.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace histolab::reference {

// One update of an address begins when the one before has ended: 1 / latency. 100 ns: 10 million a second, of all threads
// together. `latency_ns` > 0.
[[nodiscard]] double updates_per_second(double latency_ns);

// What an access takes on average where a share `hit_rate` of them finds a cache: 0.9 * 4 ns + 0.1 * 100 ns = 13.6 ns.
[[nodiscard]] double mean_latency_ns(double hit_rate, double hit_ns, double miss_ns);

// Updates of a private copy, whose last step, adding the copy to the result, makes everything take `commit_share` longer:
// 1 ns and 10 %: 1 / 1.1 ns = 909 million a second.
[[nodiscard]] double updates_per_second_privatized(double private_ns, double commit_share);

// Where each update comes with so many operations (floating-point ones in the exercise), the updates bound those too:
// 10 million updates a second and 5 operations for each: 50 million operations a second.
[[nodiscard]] double operations_per_second(double update_rate, double operations_per_update);

// The operations of a thread that makes them and its updates one after the other, nothing overlapping: 5 updates of 62.5 ns
// and 100 operations of 1 ns take 412.5 ns: 242.4 million operations a second.
struct InTurn {
  double updates = 1, operations = 1;  // of one thread
  double operation_ns = 1;
};
[[nodiscard]] double operations_per_second(const InTurn& thread, double update_ns);
// From that rate back to the share of the updates that found the cache. Outside of 0 to 1: no share explains the rate.
[[nodiscard]] double hit_rate_of(const InTurn& thread, double operation_rate, double hit_ns, double miss_ns);

// What memory delivers at most, in bytes per second: 64 bits, twice a clock (double data rate), 8 channels, 1 GHz: 128e9.
[[nodiscard]] double memory_bytes_per_second(double width_bits, double transfers_per_clock, double channels, double ghz);

// 0 + 1 + ... + (count - 1): what `count` lanes leave that each add their index, in whatever order. 32: 496.
[[nodiscard]] std::uint64_t sum_of_indices(std::uint32_t count);

// Latency in clocks at a clock rate in GHz.
[[nodiscard]] double nanoseconds(double clocks, double ghz);

// Updates of several addresses go on side by side; the busiest of them is done last. `hottest_share` is the share of all
// updates that goes to it: 1 for constant data, 1 / bins when all are alike.
[[nodiscard]] double updates_per_second_over_addresses(double latency_ns, double hottest_share);

// The lanes of a warp that meet on one address go one after the other: how many steps a request takes, on average, when each
// of `lanes` lanes draws its bin independently. That is the expectation of the largest number of lanes on one bin, exactly:
//   P(no bin has more than m) = lanes! [x^lanes] prod_b sum_{i <= m} (p_b x)^i / i!
// Uniform, 32 lanes: 1 bin 32, 7 bins 7.6, 256 bins 1.9.
[[nodiscard]] double expected_serialization(std::uint32_t lanes, std::span<const double> probabilities);
[[nodiscard]] double expected_serialization(std::uint32_t lanes, std::uint32_t bins);  // all alike

// How many different bins the lanes touch, on average: sum_b 1 - (1 - p_b)^lanes.
[[nodiscard]] double expected_distinct(std::uint32_t lanes, std::span<const double> probabilities);

// A skewed distribution for a slider: bin k of `bins` (from 1) with a chance proportional to k^-exponent; 0 is uniform.
[[nodiscard]] std::vector<double> zipf(std::uint32_t bins, double exponent);

// P copies of a histogram: each takes 1/P of the updates of the hottest bin, one after the other, side by side with the other
// copies; then P commits meet on that bin. T(P) = updates * hottest_share / P * update_ns + P * commit_ns.
struct Privatization {
  double updates = 0;        // of all bins
  double hottest_share = 1;  // of the busiest bin
  double update_ns = 1;      // one update of a copy
  double commit_ns = 100;    // one update of the result
};
[[nodiscard]] double privatized_ns(const Privatization& of, double copies);
// The P >= 1 for which that is least: sqrt(updates * hottest_share * update_ns / commit_ns).
[[nodiscard]] double best_copies(const Privatization& of);

// Aggregation: a thread that counts runs of equal bins in a register makes one update a run. Updates per element when
// neighbours are independent: the chance that two differ, 1 - sum_b p_b^2. In data of runs of mean length r: 1 / r.
[[nodiscard]] double updates_per_element_aggregated(std::span<const double> probabilities);

// The roofline of one launch: elements a second, when each costs `bytes` of reading at `bytes_per_second` and `updates` at
// `update_rate`: the slower of the two.
[[nodiscard]] double elements_per_second(double bytes, double bytes_per_second, double updates, double update_rate);

}  // namespace histolab::reference

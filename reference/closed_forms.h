// Closed forms for the rate of atomic updates, as in textbook exercises (D. Kirk and W. Hwu,
// Programming Massively Parallel Processors, chapter on atomic operations); derived here.
// Units: latencies in nanoseconds, rates in events per second, shares and probabilities 0 to 1.
// These are pure functions of values that a slider can set. The rates of real GPUs are in
// profiles/ and time_model.h. The common idea is explained in docs/model.md ("Closed forms").
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace histolab::reference {

// Returns 1 / latency: an update of an address begins when the update before it has ended. The rate
// is that of all threads together. Example: 100 ns give 10 million a second. `latency_ns` > 0.
[[nodiscard]] double updates_per_second(double latency_ns);

// Returns the average latency if the share `hit_rate` of the accesses hits a cache.
// Example: 0.9 * 4 ns + 0.1 * 100 ns = 13.6 ns.
[[nodiscard]] double mean_latency_ns(double hit_rate, double hit_ns, double miss_ns);

// Updates of a private copy. Adding the copy to the result makes the total time longer by the share
// `commit_share`. Example: 1 ns and 10 % give 1 / 1.1 ns = 909 million a second.
[[nodiscard]] double updates_per_second_privatized(double private_ns, double commit_share);

// If each update comes with a number of operations (floating-point ones in the exercise), the
// update rate bounds these too. Example: 10 million updates a second with 5 operations each give 50
// million operations a second.
[[nodiscard]] double operations_per_second(double update_rate, double operations_per_update);

// Operation rate of a thread that makes its operations and its updates one after the other, without
// overlap. Example: 5 updates of 62.5 ns and 100 operations of 1 ns take 412.5 ns, so 242.4 million
// operations a second.
struct InTurn {
  double updates = 1, operations = 1;  // per thread
  double operation_ns = 1;
};
[[nodiscard]] double operations_per_second(const InTurn& thread, double update_ns);
// The inverse: returns the share of the updates that hit the cache, from the operation rate. A
// result outside 0 to 1 means that no hit rate explains the operation rate.
[[nodiscard]] double hit_rate_of(const InTurn& thread, double operation_rate, double hit_ns,
                                 double miss_ns);

// Returns the peak rate of memory in bytes per second. Example: 64 bits, twice a clock (double data
// rate), 8 channels and 1 GHz give 128e9.
[[nodiscard]] double memory_bytes_per_second(double width_bits, double transfers_per_clock,
                                             double channels, double ghz);

// Returns 0 + 1 + ... + (count - 1), the result if each of `count` lanes adds its index, in any
// order. Example: 32 lanes give 496.
[[nodiscard]] std::uint64_t sum_of_indices(std::uint32_t count);

// Converts a latency in clocks to nanoseconds. The clock rate is in GHz.
[[nodiscard]] double nanoseconds(double clocks, double ghz);

// Different addresses are updated in parallel, and the busiest one is finished last.
// `hottest_share` is its share of all updates: 1 for constant data, 1 / bins if all bins are
// equally likely.
[[nodiscard]] double updates_per_second_over_addresses(double latency_ns, double hottest_share);

// Returns the average number of steps of a request if each of `lanes` lanes draws its bin
// independently. Lanes of a warp on one address take one step each. So the result is the exact
// expectation of the largest number of lanes on one bin:
//   P(no bin has more than m) = lanes! [x^lanes] prod_b sum_{i <= m} (p_b x)^i / i!
// Example: uniform, 32 lanes: 32 for 1 bin, 7.6 for 7 bins, 1.9 for 256 bins.
[[nodiscard]] double expected_serialization(std::uint32_t lanes,
                                            std::span<const double> probabilities);
// The same for equally likely bins.
[[nodiscard]] double expected_serialization(std::uint32_t lanes, std::uint32_t bins);

// Returns the average number of different bins that the lanes touch: sum_b 1 - (1 - p_b)^lanes.
[[nodiscard]] double expected_distinct(std::uint32_t lanes, std::span<const double> probabilities);

// Returns the probabilities of a skewed distribution. Bin k (from 1) has a probability proportional
// to k^-exponent; exponent 0 is uniform. Shape: one value per bin.
[[nodiscard]] std::vector<double> zipf(std::uint32_t bins, double exponent);

// P copies of a histogram. Each copy takes 1/P of the updates of the hottest bin, one after the
// other and in parallel with the other copies. Then P commits meet on that bin:
//   T(P) = updates * hottest_share / P * update_ns + P * commit_ns
struct Privatization {
  double updates = 0;        // of all bins
  double hottest_share = 1;  // share of the busiest bin
  double update_ns = 1;      // per update of a copy
  double commit_ns = 100;    // per update of the result
};
// Returns T(copies) in nanoseconds.
[[nodiscard]] double privatized_ns(const Privatization& of, double copies);
// Returns the P >= 1 with the smallest T(P): sqrt(updates * hottest_share * update_ns / commit_ns).
[[nodiscard]] double best_copies(const Privatization& of);

// Aggregation: a thread that counts runs of equal bins in a register makes one update per run.
// Returns the updates per element for independent neighbours, which is the probability that two of
// them differ: 1 - sum_b p_b^2. For data with runs of mean length r it would be 1 / r.
[[nodiscard]] double updates_per_element_aggregated(std::span<const double> probabilities);

// Roofline of one launch: returns elements per second, the smaller of two rates. An element needs
// `bytes` of reading at `bytes_per_second`, and `updates` at `update_rate`.
[[nodiscard]] double elements_per_second(double bytes, double bytes_per_second, double updates,
                                         double update_rate);

}  // namespace histolab::reference

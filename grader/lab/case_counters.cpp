#include "grader/lab/case_counters.h"

#include <algorithm>
#include <cmath>

namespace histolab::grader {

std::vector<reference::CounterValue> counters_of(const reference::Counters& raw, std::uint64_t lost,
                                                 std::uint64_t invented, double elements_per_thread,
                                                 std::uint64_t hottest,
                                                 std::uint64_t updated_elements) {
  std::vector<reference::CounterValue> values = reference::values(raw);
  values.push_back({updates_lost_counter, "updates lost", "updates", static_cast<double>(lost)});
  values.push_back(
      {updates_invented_counter, "updates invented", "updates", static_cast<double>(invented)});
  values.push_back(
      {elements_per_thread_counter, "elements per thread", "elements/thread", elements_per_thread});
  values.push_back({updated_elements_counter, "elements of global memory that atomics update",
                    "elements", static_cast<double>(updated_elements)});
  values.push_back({hottest_address_counter, "global atomic updates of one address, most",
                    "updates", static_cast<double>(hottest)});
  return values;
}

reference::CounterValue updates_lost_to_races(std::uint64_t lost) {
  return {updates_lost_to_races_counter, "updates lost to races", "updates",
          static_cast<double>(lost)};
}

void add_program_facts(const kernels::ProgramFacts& facts,
                       std::vector<reference::CounterValue>& counters) {
  // A program prints few digits. A clock of the host differs by another share in each run.
  constexpr double least_difference_ms = 1e-4;
  const double difference = std::abs(facts.printed_ms - facts.kernels_ms);
  const bool differs = facts.kernels_ms > 0 && difference > least_difference_ms;
  counters.push_back({printed_time_error_counter, "difference of the printed time", "%",
                      differs ? std::min(100.0, 100 * difference / facts.kernels_ms) : 0});
  counters.push_back({ignored_failures_counter, "failed calls that the program ignores", "calls",
                      facts.ignores_failures ? 1.0 : 0.0});
}

std::vector<std::string> counter_names() {
  std::vector<std::string> names;
  for (const reference::CounterValue& counter : counters_of({})) names.emplace_back(counter.name);
  names.emplace_back(updates_lost_to_races_counter);
  names.emplace_back(printed_time_error_counter);
  names.emplace_back(ignored_failures_counter);
  return names;
}

}  // namespace histolab::grader

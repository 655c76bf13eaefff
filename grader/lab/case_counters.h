// The counters of a case: those of its launches, and those that the grader adds.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/device.h"
#include "reference/counters.h"

namespace histolab::grader {

// Counters from comparing a case with the true counts. The grader adds them to reference::values.
inline constexpr std::string_view updates_lost_counter = "histolab__updates_lost.sum";
inline constexpr std::string_view updates_invented_counter = "histolab__updates_invented.sum";
inline constexpr std::string_view elements_per_thread_counter =
    "histolab__elements_per_thread.ratio";
// Names in reference::values. matches_reference compares them with CheckSpec::thread_reads.
inline constexpr std::string_view busiest_thread_counter =
    "histolab__busiest_thread_input_bytes.max";
inline constexpr std::string_view copied_in_block_counter =
    "histolab__busiest_thread_copied_bytes_of_block.max";
inline constexpr std::string_view copied_in_grid_counter =
    "histolab__busiest_thread_copied_bytes_of_grid.max";
inline constexpr std::string_view busy_threads_counter = "histolab__busy_threads_input_bytes.sum";
// Counters from the launch's atomic pressure (kernels::Observation::pressure).
inline constexpr std::string_view hottest_address_counter =
    "histolab__global_atomic_updates_of_one_address.max";
inline constexpr std::string_view updated_elements_counter =
    "histolab__global_atomic_updated_elements.sum";
// Added to a case that also ran with one thread after the other (CaseResult::one_by_one).
inline constexpr std::string_view updates_lost_to_races_counter =
    "histolab__updates_lost_to_races.sum";
[[nodiscard]] reference::CounterValue updates_lost_to_races(std::uint64_t lost);
// Added to a case that a whole program ran (kernels::Observation::program).
inline constexpr std::string_view printed_time_error_counter = "histolab__printed_time_error.pct";
inline constexpr std::string_view ignored_failures_counter = "histolab__ignored_failures.sum";
void add_program_facts(const kernels::ProgramFacts& facts,
                       std::vector<reference::CounterValue>& counters);
// Returns the names of all counters that a check may use.
[[nodiscard]] std::vector<std::string> counter_names();

// Returns a case's counters in the order of docs/counters.md.
[[nodiscard]] std::vector<reference::CounterValue> counters_of(
    const reference::Counters& raw, std::uint64_t lost = 0, std::uint64_t invented = 0,
    double elements_per_thread = 0, std::uint64_t hottest = 0, std::uint64_t updated_elements = 0);

}  // namespace histolab::grader

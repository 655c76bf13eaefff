// Words shared by a race's text and its verdict, for modelled and recorded races. Threads are T1,
// T2, ..., times start at 1.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "reference/update_ledger.h"

namespace histolab::grader {

[[nodiscard]] std::string thread_name(std::uint32_t number);  // 0 is T1

// The event at a time, as far as the description of a lost update needs it.
struct RaceMoment {
  std::uint32_t thread = 0;
  std::uint64_t value = 0;  // the memory's value after it
  std::string place = {};   // the address; empty if it is not shown
};
using RaceMoments = std::function<RaceMoment(std::size_t time)>;

// "loses T1's update": the update that the step at `time` overwrote. Empty if it overwrote none.
[[nodiscard]] std::string remark(const std::vector<reference::LostUpdate>& lost, std::size_t time);
// "T1 stored 1 at time 5, but T2 had loaded 0 at time 2 and stored 1 over it at time 6; ".
// Describes the first three lost updates and counts the rest.
[[nodiscard]] std::string describe_lost(const std::vector<reference::LostUpdate>& lost,
                                        const RaceMoments& moments);

}  // namespace histolab::grader

// What a race's text and its verdict have in common, whether it was played or recorded: threads are
// T1, T2, ..., times begin with 1, and how an update was lost is told in one way.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "reference/update_ledger.h"

namespace histolab::grader {

[[nodiscard]] std::string thread_name(std::uint32_t number);  // 0 is T1

// What happened at a time, as far as a lost update is told by it.
struct RaceMoment {
  std::uint32_t thread = 0;
  std::uint64_t value = 0;  // what memory held then
  std::string place = {};   // where, if that is to be said
};
using RaceMoments = std::function<RaceMoment(std::size_t time)>;

// "loses T1's update": what the step at `time` took out for good; empty where it took nothing.
[[nodiscard]] std::string remark(const std::vector<reference::LostUpdate>& lost, std::size_t time);
// "T1 stored 1 at time 5, but T2 had loaded 0 at time 2 and stored 1 over it at time 6; ": of each
// of the first three, and how many more there are.
[[nodiscard]] std::string told(const std::vector<reference::LostUpdate>& lost,
                               const RaceMoments& moments);

}  // namespace histolab::grader

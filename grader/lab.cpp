#include "grader/lab.h"

#include "reference/counters.h"

namespace histolab::grader {

double Limit::at(std::uint64_t length, std::uint64_t grid, std::uint64_t block) const {
  return constant + per_element * static_cast<double>(length) + per_thread * static_cast<double>(grid * block) +
         per_block * static_cast<double>(grid);
}

std::string_view name(CheckKind kind) {
  switch (kind) {
    case CheckKind::matches_reference: return "matches_reference";
    case CheckKind::no_findings: return "no_findings";
    case CheckKind::expects_finding: return "expects_finding";
    case CheckKind::counter_at_least: return "counter_at_least";
    case CheckKind::counter_at_most: return "counter_at_most";
    case CheckKind::within_of_solution: return "within_of_solution";
    case CheckKind::speedup_over: return "speedup_over";
  }
  return "";
}

std::vector<std::string> counter_names() {
  std::vector<std::string> names;
  for (const reference::CounterValue& counter : reference::values({})) names.emplace_back(counter.name);
  for (const std::string_view own : {updates_lost_counter, updates_invented_counter, elements_per_thread_counter})
    names.emplace_back(own);
  return names;
}

}  // namespace histolab::grader

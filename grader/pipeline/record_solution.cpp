#include "grader/pipeline/record_solution.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

#include "grader/checks/rivals.h"
#include "grader/pipeline/case_run.h"
#include "grader/pipeline/modelled_stage.h"

namespace histolab::grader {
namespace {

// Returns the counters that checks limit, with the index of the case.
std::set<std::pair<std::size_t, std::string>> counters_of_checks(const LabSpec& lab) {
  std::set<std::pair<std::size_t, std::string>> wanted;
  for (const CheckSpec& check : lab.checks)
    if (!check.counter.empty())
      for (const std::size_t each : check.cases) wanted.emplace(each, check.counter);
  return wanted;
}

}  // namespace

Result<Recorded> record_solution(kernels::Device& emulator, const LabSpec& lab,
                                 const reference::TimingProfile& profile, std::uint64_t seed) {
  const Rival solution = TRY(load_rival(emulator, lab, lab.name));
  Recorded recorded{.seed = seed, .profile = profile.name, .times = {}, .counters = {}};
  std::optional<std::size_t> ran;
  CaseResult result;
  for (const auto& [index, counter] : counters_of_checks(lab)) {
    if (ran != index) {
      CaseResult shape = case_of(lab, lab.cases[index], solution.exports, seed);
      const std::vector<Bytes> inputs = TRY(inputs_of(shape));
      CaseResult made =
          TRY(run_case(emulator, lab, solution.compiled, std::move(shape), inputs, {}));
      if (!made.completed())
        return Error{fmt::format("{}: case {} does not complete: {}", lab.solution_path(), made.id,
                                 made.ending_detail)};
      result = std::move(made);
      ran = index;
    }
    Recorded::Counter& kept =
        recorded.counters.emplace_back(Recorded::Counter{result.id, counter, {}});
    for (const LaunchResult& launch : result.runs) {
      const auto value =
          std::ranges::find(launch.counters, counter, &reference::CounterValue::name);
      if (value != launch.counters.end()) kept.launches.push_back(value->value);
    }
  }
  ModelledStage stage{emulator, profile, seed};
  for (std::size_t i = 0; i < lab.timed.size(); ++i)
    for (const std::string& rival : rivals_of(lab, i)) {
      const double ms = TRY(stage.rival_ms(lab, lab.timed[i], rival));
      recorded.times.push_back({lab.timed[i].id, rival, ms});
    }
  return recorded;
}

}  // namespace histolab::grader

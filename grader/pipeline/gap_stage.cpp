#include "grader/pipeline/gap_stage.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "grader/checks/recorded.h"
#include "grader/lab/drawn_case.h"
#include "grader/pipeline/case_run.h"
#include "grader/pipeline/modelled.h"
#include "grader/words/words.h"

namespace histolab::grader {
namespace {

Result<CaseResult> launch_case(kernels::Device& emulator, const LabSpec& lab, const CaseSpec& spec,
                               const kernels::Compiled& compiled, const Exports& exports,
                               std::uint64_t seed) {
  CaseResult shape = case_of(lab, spec, exports, seed);
  const std::vector<Bytes> inputs = TRY(inputs_of(shape));
  const Onlooker recorder{.recorded_accesses = accesses_to_compare};
  return run_case(emulator, lab, compiled, std::move(shape), inputs, {}, &recorder);
}

template <typename Specs>
const auto& spec_of(const Specs& specs, const std::string& id) {
  return *std::find_if(specs.begin(), specs.end(), [&](const auto& each) { return each.id == id; });
}

bool has_solution(const LabSpec& lab) {
  std::error_code failure;
  return std::filesystem::exists(lab.solution_path(), failure);
}

const reference::CounterValue* counter_of(const CheckSpec& check, std::size_t launch,
                                          const CaseResult& result) {
  if (launch == 0 || launch > result.runs.size()) return nullptr;
  const std::vector<reference::CounterValue>& counters = result.runs[launch - 1].counters;
  const auto found = std::ranges::find(counters, check.counter, &reference::CounterValue::name);
  return found == counters.end() ? nullptr : &*found;
}

// Returns the solution's value in the unit of the check's counter: "; the solution has 553".
std::string solution_value(double value, const reference::CounterValue& like) {
  return fmt::format("; the solution has {}{}", plain(value), like.unit == "%" ? " %" : "");
}

}  // namespace

template <typename Launch>
Result<std::shared_ptr<const CaseResult>> GapStage::launch_solution(const LabSpec& lab,
                                                                    const std::string& id,
                                                                    Launch launch) {
  if (!has_solution(lab)) return std::shared_ptr<const CaseResult>{};
  const std::lock_guard lock{solutions_in_use_};
  const auto key = std::pair{lab.name, id};
  if (const auto known = launched_.find(key); known != launched_.end()) return known->second;
  if (!solutions_.contains(lab.name)) {
    Rival solution = TRY(load_rival(emulator_, lab, lab.name));
    solutions_.emplace(lab.name, std::move(solution));
  }
  CaseResult made = TRY(launch(solutions_.at(lab.name)));
  return launched_[key] = std::make_shared<const CaseResult>(std::move(made));
}

Result<GapStage::Launched> GapStage::launch_on_case(const LabSpec& lab,
                                                    const kernels::Compiled& compiled,
                                                    const Exports& exports, const std::string& id) {
  const CaseSpec& spec = spec_of(lab.cases, id);
  auto solution = TRY(launch_solution(lab, id, [&](const Rival& rival) {
    return launch_case(emulator_, lab, spec, rival.compiled, rival.exports, seed_);
  }));
  CaseResult own = TRY(launch_case(emulator_, lab, spec, compiled, exports, seed_));
  return Launched{std::move(own), std::move(solution)};
}

Result<GapStage::Launched> GapStage::launch_on_timed_case(const LabSpec& lab,
                                                          const kernels::Compiled& compiled,
                                                          const Exports& exports,
                                                          const std::string& id) {
  const TimedCaseSpec& spec = spec_of(lab.timed, id);
  const auto launch = [&](const kernels::Compiled& which, const Exports& with) {
    return small_launch(emulator_, lab, which,
                        {.dataset = spec.dataset,
                         .shape = shape_of(lab, spec, with, multiprocessors_),
                         .seed = case_seed(seed_, lab.name, spec.id),
                         .elements_to_run = drawn_emulated_length(spec, seed_)},
                        accesses_to_compare);
  };
  auto solution = TRY(launch_solution(
      lab, id, [&](const Rival& rival) { return launch(rival.compiled, rival.exports); }));
  CaseResult own = TRY(launch(compiled, exports));
  return Launched{std::move(own), std::move(solution)};
}

void GapStage::explain(const LabSpec& lab, const kernels::Compiled& compiled,
                       const Exports& exports, LabResult& result) {
  if (!std::all_of(result.cases.begin(), result.cases.end(),
                   [](const CaseResult& each) { return each.correct; }))
    return;
  for (CheckResult& check : result.checks) {
    if (check.status != CheckResult::Status::failed || check.about.empty()) continue;
    const CheckSpec& spec = spec_of(lab.checks, check.id);
    const Result<Launched> launched =
        spec.timed.empty() ? launch_on_case(lab, compiled, exports, check.about)
                           : launch_on_timed_case(lab, compiled, exports, check.about);
    if (!launched) {
      check.seen.why = fmt::format("the line is unknown: {}", launched.error().message);
      continue;
    }
    std::optional<CounterGap> gap;
    if (spec.timed.empty()) {
      const reference::CounterValue* const own = counter_of(spec, check.launch, launched->own);
      const reference::CounterValue* const theirs =
          launched->solution ? counter_of(spec, check.launch, *launched->solution) : nullptr;
      if (theirs != nullptr)
        check.seen.what += solution_value(theirs->value, *theirs);
      else if (const auto value = launched->solution ? std::nullopt
                                                     : recorded_counter(lab, seed_, check.about,
                                                                        spec.counter, check.launch);
               value && own != nullptr)
        check.seen.what += solution_value(*value, *own);
      gap = gap_of_counter(spec.counter, launched->own, launched->solution.get());
    } else if (launched->solution) {
      gap = gap_of_time(spec_of(result.timed, check.about).bound_by, launched->own,
                        *launched->solution);
    }
    if (!gap) continue;
    check.line = gap->line;
    check.seen.why = fmt::format("line {}: {}", gap->line, gap->sentence);
  }
}

}  // namespace histolab::grader

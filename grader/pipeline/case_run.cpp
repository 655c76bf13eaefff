#include "grader/pipeline/case_run.h"

#include <algorithm>
#include <numeric>

#include "datasets/datasets.h"
#include "grader/lab/case_counters.h"
#include "grader/lab/drawn_case.h"
#include "grader/report/mismatch.h"
#include "reference/task.h"

namespace histolab::grader {
namespace {

std::uint64_t hottest_of(const std::vector<reference::AtomicPressure>& pressure) {
  const reference::AtomicPressure* hottest = reference::hottest_in_global(pressure);
  return hottest == nullptr ? 0 : hottest->top.front().updates;
}

std::uint64_t updated_elements_of(const std::vector<reference::AtomicPressure>& pressure) {
  std::uint64_t elements = 0;
  for (const reference::AtomicPressure& each : pressure)
    if (!each.shared) elements += each.elements;
  return elements;
}

// Launches with an onlooker if there is one. `first` are the buffers of the first launch.
Result<std::vector<kernels::Observation>> launch(
    kernels::Device& device, const kernels::Compiled& compiled, const kernels::LaunchConfig& config,
    const std::vector<std::vector<kernels::Argument>>& launches, kernels::Options options,
    const Onlooker* onlooker, const LaunchBuffers& first) {
  if (onlooker == nullptr) return device.launch(compiled, config, launches, options);
  options.live = onlooker->live;
  options.recorded_accesses = onlooker->recorded_accesses;
  struct OnlookerScope {
    const Onlooker& who;
    OnlookerScope(const Onlooker& onlooks, const LaunchBuffers& buffers) : who(onlooks) {
      if (who.begins) who.begins(buffers);
    }
    OnlookerScope(const OnlookerScope&) = delete;
    OnlookerScope& operator=(const OnlookerScope&) = delete;
    // Runs also if there is not enough memory.
    ~OnlookerScope() {
      if (who.ended) who.ended();
    }
  };
  const OnlookerScope scope(*onlooker, first);
  return device.launch(compiled, config, launches, options);
}

}  // namespace

CaseResult case_of(const LabSpec& lab, const CaseSpec& spec, const Exports& exports,
                   std::uint64_t seed) {
  CaseResult planned;
  static_cast<LaunchShape&>(planned) = shape_of(lab, drawn_case(spec, seed), exports);
  planned.id = spec.id;
  planned.dataset = spec.dataset;
  planned.kernel_name = kernel_name(lab, spec.kernel);
  planned.launches = spec.launches;
  planned.schedule = spec.schedule;
  planned.block_order = spec.block_order;
  planned.seed = case_seed(seed, lab.name, spec.id);
  return planned;
}

Result<std::vector<Bytes>> inputs_of(const CaseResult& shape) {
  std::vector<Bytes> inputs;
  for (std::uint32_t launch = 0; launch < shape.launches; ++launch) {
    inputs.push_back(TRY(datasets::generate_samples(
        shape.dataset, shape.length, shape.seed + launch, shape.binning.sample_bytes())));
  }
  return inputs;
}

Result<CaseResult> run_case(kernels::Device& device, const LabSpec& lab,
                            const kernels::Compiled& compiled, CaseResult result,
                            const std::vector<Bytes>& inputs, const kernels::Observers& observers,
                            const Onlooker* onlooker) {
  std::vector<LaunchBuffers> buffers;
  buffers.reserve(inputs.size());
  for (const Bytes& data : inputs) buffers.push_back(TRY(LaunchBuffers::make(lab, result, data)));
  std::vector<std::vector<kernels::Argument>> launches;
  for (LaunchBuffers& one : buffers)
    // Only now do the buffers no longer move.
    launches.push_back(one.arguments(lab, result));

  const kernels::LaunchConfig config = config_of(lab, result);
  const std::uint64_t threads = std::uint64_t{result.grid} * result.block;
  kernels::Options options;
  options.schedule = result.schedule;
  options.block_order = result.block_order;
  options.seed = result.seed;
  options.steps_per_thread = step_budget(result.length, threads);
  options.time_limit = lab.launch_limit +
                       // A million elements per second is very slow.
                       std::chrono::milliseconds{result.length / 1000};
  options.observers = observers;
  std::vector<kernels::Observation> observed =
      TRY(launch(device, compiled, config, launches, options, onlooker, buffers.front()));
  if (observed.empty() || observed.size() > inputs.size())
    return Error{"the device returned no observation for a launch; this is a bug in histolab"};

  reference::Counters& total = result.totals;
  std::uint64_t total_lost = 0, total_invented = 0, total_hottest = 0, total_elements = 0;
  const double elements_per_thread =
      static_cast<double>(result.length) / static_cast<double>(threads);
  for (std::size_t i = 0; i < observed.size(); ++i) {
    kernels::Observation& seen = observed[i];
    LaunchResult run;
    run.histogram = buffers[i].values();
    const reference::Values truth = reference::expected(lab.kernels[result.kernel].task, inputs[i],
                                                        result.binning, result.block);
    run.updates_expected =
        static_cast<std::uint64_t>(std::max(0.0, std::accumulate(truth.begin(), truth.end(), 0.0)));
    std::uint64_t lost = 0, invented = 0;
    // The progress before a time limit differs from run to run, so these counts are meaningless.
    const bool says_nothing = seen.ending == kernels::Ending::timed_out;
    for (std::uint32_t bin = 0; bin < truth.size(); ++bin) {
      if (truth[bin] == run.histogram[bin] || says_nothing) continue;
      (run.histogram[bin] > truth[bin] ? invented : lost) +=
          distance(truth[bin], run.histogram[bin]);
      result.mismatches.push_back(
          {static_cast<std::uint32_t>(i + 1), bin, truth[bin], run.histogram[bin]});
    }
    const std::uint64_t hottest = hottest_of(seen.pressure);
    const std::uint64_t elements = updated_elements_of(seen.pressure);
    run.counters =
        counters_of(seen.counters, lost, invented, elements_per_thread, hottest, elements);
    if (seen.program) add_program_facts(*seen.program, run.counters);
    if (seen.unread) {
      run.unread = seen.unread->bytes;
      run.first_unread = seen.unread->first;
    }
    run.kept_variables = std::move(seen.kept_variables);
    total_hottest = std::max(total_hottest, hottest);
    total_elements += elements;
    total += seen.counters;
    total_lost += lost;
    total_invented += invented;
    merge_findings(result.findings, seen.findings);
    result.ending = seen.ending;
    result.ending_detail = seen.ending_detail;
    result.lines = std::move(seen.lines);
    result.pressure = std::move(seen.pressure);
    if (i == 0) result.accesses = std::move(seen.accesses);
    result.timing = seen.timing;
    result.printed += seen.printed;
    result.host_elapsed_s += seen.host_elapsed_s;
    result.runs.push_back(std::move(run));
  }
  result.counters = counters_of(total, total_lost, total_invented, elements_per_thread,
                                total_hottest, total_elements);
  if (observed.back().program) add_program_facts(*observed.back().program, result.counters);
  result.correct =
      result.completed() && result.mismatches.empty() && observed.size() == inputs.size();
  return result;
}

std::optional<Error> run_one_by_one(kernels::Device& device, const LabSpec& lab,
                                    const kernels::Compiled& compiled,
                                    const std::vector<Bytes>& inputs,
                                    const kernels::Observers& observers, CaseResult& result) {
  CaseResult shape;
  static_cast<LaunchShape&>(shape) = result;
  shape.launches = result.launches;
  shape.seed = result.seed;
  shape.schedule = kernels::Schedule::run_to_barrier;
  CaseResult in_order = TRY(run_case(device, lab, compiled, std::move(shape), inputs, observers));
  std::uint64_t total = 0;
  for (std::size_t i = 0; i < result.runs.size(); ++i) {
    std::uint64_t lost = 0;
    for (const Mismatch& wrong : result.mismatches) {
      if (wrong.launch != i + 1 || wrong.got >= wrong.expected || i >= in_order.runs.size())
        continue;
      const double alone = std::min(wrong.expected, in_order.runs[i].histogram.at(wrong.bin));
      if (alone > wrong.got) lost += static_cast<std::uint64_t>(alone - wrong.got);
    }
    result.runs[i].counters.push_back(updates_lost_to_races(lost));
    total += lost;
  }
  result.counters.push_back(updates_lost_to_races(total));
  result.one_by_one = OneByOne{in_order.completed(), std::move(in_order.mismatches)};
  return std::nullopt;
}

}  // namespace histolab::grader

#include "grader/case_run.h"

#include <algorithm>
#include <cstring>

#include "datasets/datasets.h"
#include "reference/histogram.h"

namespace histolab::grader {
namespace {

std::vector<std::uint64_t> counts_in(const kernels::Buffer& buffer) {
  std::vector<std::uint32_t> words(buffer.size() / sizeof(std::uint32_t));
  std::memcpy(words.data(), buffer.bytes().data(), words.size() * sizeof(std::uint32_t));
  return {words.begin(), words.end()};
}

std::vector<reference::CounterValue> counters_of(const reference::Counters& raw, std::uint64_t lost,
                                                 std::uint64_t invented, double elements_per_thread) {
  std::vector<reference::CounterValue> values = reference::values(raw);
  values.push_back({updates_lost_counter, "updates lost", "updates", static_cast<double>(lost)});
  values.push_back({updates_invented_counter, "updates invented", "updates", static_cast<double>(invented)});
  values.push_back({elements_per_thread_counter, "elements per thread", "ratio", elements_per_thread});
  return values;
}

// The buffers of one launch, and the arguments that point to them.
struct Prepared {
  kernels::Buffer input, output;
  std::vector<kernels::Argument> arguments;
};

Result<Prepared> prepare(const LabSpec& lab, const Bytes& data) {
  Result<kernels::Buffer> input = kernels::Buffer::copy_of(data);
  if (!input) return input.error();
  Result<kernels::Buffer> output = kernels::Buffer::zeroed(std::size_t{lab.binning.bins} * sizeof(std::uint32_t));
  if (!output) return output.error();
  return Prepared{std::move(*input), std::move(*output), {}};
}

void bind(Prepared& launch, const LabSpec& lab, std::uint64_t length) {
  launch.arguments = arguments_of(lab, length);
  for (kernels::Argument& argument : launch.arguments) {
    if (argument.kind == kernels::Argument::Kind::input) argument.input = &launch.input;
    if (argument.kind == kernels::Argument::Kind::output) argument.output = &launch.output;
  }
}

}  // namespace

CaseResult shape_of(const LabSpec& lab, const CaseSpec& spec, const Exports& exports, std::uint64_t seed) {
  CaseResult shape;
  shape.id = spec.id;
  shape.dataset = spec.dataset;
  shape.length = spec.length;
  shape.bins = lab.binning.bins;
  shape.block = spec.block;
  shape.grid = grid_of(lab, exports, spec.length, spec.block, spec.grid);
  shape.launches = spec.launches;
  shape.schedule = spec.schedule;
  shape.seed = case_seed(seed, lab.name, spec.id);
  return shape;
}

Result<std::vector<Bytes>> inputs_of(const CaseResult& shape) {
  std::vector<Bytes> inputs;
  for (std::uint32_t launch = 0; launch < shape.launches; ++launch) {
    Result<Bytes> bytes = datasets::generate(shape.dataset, shape.length, shape.seed + launch);
    if (!bytes) return bytes.error();
    inputs.push_back(std::move(*bytes));
  }
  return inputs;
}

Result<CaseResult> run_case(kernels::Device& device, const LabSpec& lab, const kernels::Compiled& compiled,
                            CaseResult result, const std::vector<Bytes>& inputs, const kernels::Observers& observers) {
  std::vector<Prepared> prepared;
  prepared.reserve(inputs.size());
  for (const Bytes& data : inputs) {
    Result<Prepared> one = prepare(lab, data);
    if (!one) return one.error();
    prepared.push_back(std::move(*one));
  }
  std::vector<std::vector<kernels::Argument>> launches;
  for (Prepared& one : prepared) {
    bind(one, lab, result.length);  // only now: the buffers no longer move
    launches.push_back(one.arguments);
  }

  kernels::LaunchConfig config;
  config.grid = {result.grid, 1, 1};
  config.block = {result.block, 1, 1};
  config.dynamic_shared_bytes = lab.launch.dynamic_shared_bytes;
  config.shared_opt_in = lab.launch.shared_opt_in;
  config.profile = lab.launch.profile;
  const std::uint64_t threads = std::uint64_t{result.grid} * result.block;
  kernels::Options options;
  options.schedule = result.schedule;
  options.seed = result.seed;
  options.steps_per_thread = step_budget(result.length, threads);
  options.time_limit += std::chrono::milliseconds{result.length / 1000};  // a million elements a second is very slow
  options.observers = observers;
  Result<std::vector<kernels::Observation>> observed = device.launch(compiled, config, launches, options);
  if (!observed) return observed.error();
  if (observed->empty() || observed->size() > inputs.size())
    return Error{"the device returned no observation for a launch; this is a bug in histolab"};

  reference::Counters& total = result.totals;
  std::uint64_t total_lost = 0, total_invented = 0;
  const double elements_per_thread = static_cast<double>(result.length) / static_cast<double>(threads);
  for (std::size_t i = 0; i < observed->size(); ++i) {
    kernels::Observation& seen = (*observed)[i];
    LaunchResult run;
    run.histogram = counts_in(prepared[i].output);
    const std::vector<std::uint64_t> truth = reference::histogram(inputs[i], lab.binning);
    std::uint64_t lost = 0, invented = 0;
    for (std::uint32_t bin = 0; bin < truth.size(); ++bin) {
      run.updates_expected += truth[bin];
      if (truth[bin] == run.histogram[bin]) continue;
      (truth[bin] > run.histogram[bin] ? lost : invented) +=
          truth[bin] > run.histogram[bin] ? truth[bin] - run.histogram[bin] : run.histogram[bin] - truth[bin];
      result.mismatches.push_back({static_cast<std::uint32_t>(i + 1), bin, truth[bin], run.histogram[bin]});
    }
    run.counters = counters_of(seen.counters, lost, invented, elements_per_thread);
    total += seen.counters, total_lost += lost, total_invented += invented;
    merge_findings(result.findings, seen.findings);
    result.ending = seen.ending;
    result.ending_detail = seen.ending_detail;
    result.lines = std::move(seen.lines);
    result.pressure = std::move(seen.pressure);
    result.timing = seen.timing;
    result.printed += seen.printed;
    result.host_elapsed_s += seen.host_elapsed_s;
    result.runs.push_back(std::move(run));
  }
  result.counters = counters_of(total, total_lost, total_invented, elements_per_thread);
  result.correct = result.completed() && result.mismatches.empty() && observed->size() == inputs.size();
  return result;
}

}  // namespace histolab::grader

#include "grader/contest.h"

#include <fmt/format.h>
#include <sys/random.h>

#include <algorithm>
#include <cstring>
#include <random>
#include <set>

#include "datasets/datasets.h"
#include "reference/histogram.h"

namespace histolab::grader {
namespace {

using kernels::TimingPlan;

constexpr std::uint64_t pre_made = 3;          // inputs
constexpr std::size_t changes_a_round = 64;    // bytes of an input that are new each time

std::uint64_t random_number() {
  std::uint64_t number = 0;
  if (getrandom(&number, sizeof number, 0) != sizeof number) number = std::random_device{}();
  return number;
}

bool is_right(const kernels::TimedKernel& timed, const FreshData& data, std::size_t round, std::vector<std::uint32_t>& counts) {
  const std::size_t bytes = counts.size() * sizeof(std::uint32_t);
  std::memcpy(counts.data(), timed.outputs.data() + round * bytes, bytes);
  return std::equal(counts.begin(), counts.end(), data.truth[round].begin());
}

bool all_right(const kernels::TimedKernel& timed, const FreshData& data, std::size_t bins) {
  std::vector<std::uint32_t> counts(bins);
  for (std::size_t round = 0; round < timed.timing.samples_ms.size(); ++round)
    if (!is_right(timed, data, round, counts)) return false;
  return true;
}

// How many rounds are right, and the first wrong one's bins.
void judge_rounds(const kernels::TimedKernel& timed, const FreshData& data, TimedCaseResult& result) {
  const std::size_t bins = result.bins;
  result.rounds = static_cast<std::uint32_t>(timed.timing.samples_ms.size());
  std::vector<std::uint32_t> counts(bins);
  for (std::uint32_t round = 0; round < result.rounds; ++round) {
    if (is_right(timed, data, round, counts)) {
      ++result.right_rounds;
      continue;
    }
    const std::vector<std::uint64_t>& truth = data.truth[round];
    if (!result.mismatches.empty()) continue;
    for (std::uint32_t bin = 0; bin < bins; ++bin)
      if (truth[bin] != counts[bin]) result.mismatches.push_back({round + 1, bin, truth[bin], counts[bin]});
  }
}

}  // namespace

FreshData fresh_data(const std::vector<std::vector<std::uint8_t>>& inputs, const reference::Binning& binning, std::size_t rounds,
                     std::uint64_t randomness) {
  std::vector<std::vector<std::uint64_t>> truth;
  for (const auto& input : inputs) truth.push_back(reference::histogram(input, binning));
  std::mt19937_64 random{randomness};
  FreshData data;
  for (std::size_t round = 0; round < rounds; ++round) {
    TimingPlan::Sample& sample = data.samples.emplace_back();
    sample.input = random() % inputs.size();
    const auto& input = inputs[sample.input];
    std::vector<std::uint64_t> counts = truth[sample.input];
    std::set<std::uint64_t> places;
    while (!input.empty() && places.size() < std::min(changes_a_round, input.size())) places.insert(random() % input.size());
    for (const std::uint64_t at : places) {
      const std::uint8_t byte = input[random() % input.size()];  // of the data's own kind
      sample.changes.push_back({at, byte});
      if (const auto bin = binning.bin_of(input[at])) --counts[*bin];
      if (const auto bin = binning.bin_of(byte)) ++counts[*bin];
    }
    data.truth.push_back(std::move(counts));
  }
  return data;
}

Result<std::vector<std::vector<std::uint8_t>>> contest_inputs(const LabSpec& lab, const TimedCaseSpec& spec, std::uint64_t seed) {
  std::vector<std::vector<std::uint8_t>> inputs;
  for (std::uint64_t i = 0; i < pre_made; ++i) {
    Result<std::vector<std::uint8_t>> bytes = datasets::generate(spec.dataset, spec.length, case_seed(seed, lab.name, spec.id) + i);
    if (!bytes) return bytes.error();
    inputs.push_back(std::move(*bytes));
  }
  return inputs;
}

Result<TimedCaseResult> run_contest(kernels::TimedDevice& device, const TimedCaseSpec& spec, const std::vector<Contestant>& contestants,
                                    const std::vector<std::vector<std::uint8_t>>& inputs, const ContestOptions& options) {
  const LabSpec& lab = *contestants.front().lab;
  std::vector<kernels::Buffer> buffers;
  for (const auto& bytes : inputs) {
    Result<kernels::Buffer> buffer = kernels::Buffer::copy_of(bytes);
    if (!buffer) return buffer.error();
    buffers.push_back(std::move(*buffer));
  }
  const FreshData data = fresh_data(inputs, lab.binning, options.rounds + 1, random_number());

  TimingPlan plan;
  for (const Contestant& each : contestants) {
    kernels::LaunchConfig config;
    config.block = {spec.block, 1, 1};
    config.grid = {grid_of(*each.lab, each.exports, spec.length, spec.block, spec.grid), 1, 1};
    if (plan.kernels.empty() && options.grid > 0) config.grid.x = options.grid;
    config.dynamic_shared_bytes = each.lab->launch.dynamic_shared_bytes;
    config.shared_opt_in = each.lab->launch.shared_opt_in;
    plan.kernels.push_back({each.compiled, config, arguments_of(*each.lab, spec.length)});
  }
  for (const kernels::Buffer& buffer : buffers) plan.inputs.push_back(&buffer);
  plan.output_bytes = std::uint64_t{lab.binning.bins} * sizeof(std::uint32_t);
  plan.samples = data.samples;
  plan.budget = options.budget;
  Result<std::vector<kernels::TimedKernel>> timed = device.time(plan);
  if (!timed) return timed.error();
  if (timed->size() != contestants.size()) return Error{"the GPU returned no time for a kernel; this is a bug in histolab"};

  TimedCaseResult result;
  result.id = spec.id;
  result.dataset = spec.dataset;
  result.length = spec.length;
  result.bins = lab.binning.bins;
  result.block = spec.block;
  result.grid = plan.kernels.front().config.grid.x;
  result.device = device.name();
  result.ending = timed->front().ending;
  result.ending_detail = timed->front().ending_detail;
  result.findings = timed->front().findings;
  judge_rounds(timed->front(), data, result);
  if (result.rounds > 0) result.timing = timed->front().timing;
  for (std::size_t k = 1; k < timed->size(); ++k) {
    const kernels::TimedKernel& rival = (*timed)[k];
    if (rival.ending != kernels::Ending::completed)
      return Error{fmt::format("the solution of {} did not run on the GPU: {}", contestants[k].name, rival.ending_detail)};
    result.rivals.push_back({contestants[k].name, rival.timing, all_right(rival, data, result.bins)});
  }
  return result;
}

}  // namespace histolab::grader

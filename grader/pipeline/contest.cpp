#include "grader/pipeline/contest.h"

#include <fmt/format.h>
#include <sys/random.h>

#include <algorithm>
#include <random>
#include <set>
#include <span>

#include "datasets/datasets.h"
#include "reference/task.h"

namespace histolab::grader {
namespace {

using kernels::TimingPlan;

constexpr std::uint64_t pre_made = 3;        // number of inputs
constexpr std::size_t changes_a_round = 64;  // bytes of an input that change for each round

std::uint64_t random_number() {
  std::uint64_t number = 0;
  if (getrandom(&number, sizeof number, 0) != sizeof number) number = std::random_device{}();
  return number;
}

// Compares the output of each round with the expected result of one kernel's task.
class Judge {
 public:
  Judge(const Contestant& who, const kernels::TimedKernel& timed, const FreshData& data,
        std::uint64_t stride)
      : task_(who.lab->kernels.at(who.shape.kernel).task),
        timed_(timed),
        data_(data),
        stride_(stride),
        bytes_(std::size_t{who.shape.binning.bins} * reference::bytes_of(task_.word)) {}

  [[nodiscard]] std::uint32_t rounds() const {
    return static_cast<std::uint32_t>(timed_.timing.samples_ms.size());
  }
  [[nodiscard]] reference::Values expected(std::size_t round) const {
    return task_.of_counts(data_.truth[round]);
  }
  [[nodiscard]] reference::Values got(std::size_t round) const {
    return reference::values_of(task_.word,
                                std::span(timed_.outputs).subspan(round * stride_, bytes_));
  }
  [[nodiscard]] bool is_right(std::size_t round) const { return expected(round) == got(round); }

 private:
  const reference::Task& task_;
  const kernels::TimedKernel& timed_;
  const FreshData& data_;
  std::uint64_t
      stride_;  // bytes for all copies of a round's result, for the kernel that needs most
  std::size_t bytes_;
};

bool all_right(const Judge& judge) {
  for (std::size_t round = 0; round < judge.rounds(); ++round)
    if (!judge.is_right(round)) return false;
  return true;
}

// Counts the right rounds, and reports the wrong bins of the first wrong round.
void judge_rounds(const Judge& judge, TimedCaseResult& result) {
  result.rounds = judge.rounds();
  for (std::uint32_t round = 0; round < result.rounds; ++round) {
    if (judge.is_right(round)) {
      ++result.right_rounds;
      continue;
    }
    if (!result.mismatches.empty()) continue;
    const reference::Values expected = judge.expected(round), got = judge.got(round);
    for (std::uint32_t bin = 0; bin < expected.size(); ++bin)
      if (expected[bin] != got[bin])
        result.mismatches.push_back({round + 1, bin, expected[bin], got[bin]});
  }
}

}  // namespace

FreshData fresh_data(const std::vector<std::vector<std::uint8_t>>& inputs,
                     const reference::Binning& binning, std::size_t rounds,
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
    const std::uint32_t bytes = binning.sample_bytes();
    const std::size_t samples = input.size() / bytes;
    std::set<std::uint64_t> places;
    while (places.size() < std::min(changes_a_round, samples)) places.insert(random() % samples);
    for (const std::uint64_t at : places) {
      // A value from the same data.
      const std::uint64_t from = random() % samples;
      for (std::uint32_t byte = 0; byte < bytes; ++byte)
        sample.changes.push_back({at * bytes + byte, input[from * bytes + byte]});
      if (const auto bin = binning.bin_of(reference::sample_at(input, at * bytes, bytes)))
        --counts[*bin];
      if (const auto bin = binning.bin_of(reference::sample_at(input, from * bytes, bytes)))
        ++counts[*bin];
    }
    data.truth.push_back(std::move(counts));
  }
  return data;
}

Result<std::vector<std::vector<std::uint8_t>>> contest_inputs(const LabSpec& lab,
                                                              const TimedCaseSpec& spec,
                                                              std::uint64_t seed) {
  std::vector<std::vector<std::uint8_t>> inputs;
  for (std::uint64_t i = 0; i < pre_made; ++i) {
    inputs.push_back(TRY(datasets::generate_samples(spec.dataset, spec.length,
                                                    case_seed(seed, lab.name, spec.id) + i,
                                                    spec.binning.sample_bytes())));
  }
  return inputs;
}

Result<TimedCaseResult> run_contest(kernels::TimedDevice& device, const TimedCaseSpec& spec,
                                    const std::vector<Contestant>& contestants,
                                    const std::vector<std::vector<std::uint8_t>>& inputs,
                                    const ContestOptions& options) {
  const Contestant& judged = contestants.front();
  std::vector<kernels::Buffer> buffers;
  for (const auto& bytes : inputs) buffers.push_back(TRY(kernels::Buffer::copy_of(bytes)));
  const FreshData data =
      fresh_data(inputs, judged.shape.binning, options.rounds + 1, random_number());

  TimingPlan plan;
  for (const Contestant& each : contestants) {
    plan.kernels.push_back(
        {each.compiled, config_of(*each.lab, each.shape), arguments_of(*each.lab, each.shape)});
    plan.output_bytes = std::max(plan.output_bytes, output_bytes(*each.lab, each.shape));
  }
  for (const kernels::Buffer& buffer : buffers) plan.inputs.push_back(&buffer);
  plan.samples = data.samples;
  plan.budget = options.budget;
  std::vector<kernels::TimedKernel> timed = TRY(device.time(plan));
  if (timed.size() != contestants.size())
    return Error{"the GPU returned no time for a kernel; this is a bug in histolab"};

  TimedCaseResult result;
  static_cast<LaunchShape&>(result) = judged.shape;
  result.id = spec.id;
  result.dataset = spec.dataset;
  result.kernel_name = kernel_name(*judged.lab, judged.shape.kernel);
  result.device = device.name();
  result.ending = timed.front().ending;
  result.ending_detail = timed.front().ending_detail;
  result.findings = timed.front().findings;
  judge_rounds({judged, timed.front(), data, plan.output_bytes}, result);
  if (result.rounds > 0) result.timing = timed.front().timing;
  for (std::size_t k = 1; k < timed.size(); ++k) {
    const kernels::TimedKernel& rival = timed[k];
    if (rival.ending != kernels::Ending::completed)
      return Error{fmt::format("the solution of {} did not run on the GPU: {}", contestants[k].name,
                               rival.ending_detail)};
    result.rivals.push_back({contestants[k].name, rival.timing,
                             all_right({contestants[k], rival, data, plan.output_bytes})});
  }
  return result;
}

}  // namespace histolab::grader

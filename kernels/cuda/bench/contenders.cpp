#include "kernels/cuda/bench/contenders.h"

#include <fmt/format.h>

#include "kernels/cuda/bytes.h"
#include "kernels/cuda/plan.h"

namespace histolab::kernels::cuda::bench {
namespace {

std::string describe(const Plan& plan) {
  std::string text{name_of(plan.strategy)};
  if (plan.strategy == Strategy::byte_values) return text;
  if (plan.parts > 1) text += fmt::format(", {} parts", plan.parts);
  text += fmt::format(", {} {}", 1u << plan.log_copies, plan.log_copies == 0 ? "copy" : "copies");
  if (plan.hashed) text += ", hashed";
  if (plan.binner == Binner::product) text += ", product";
  if (plan.binner == Binner::table) text += fmt::format(", table of {} pieces", 1u << plan.log_pieces);
  return text;
}

Contender of(std::string name, std::string strategy, std::size_t length,
             std::function<void(Count* histogram, std::size_t length, cudaStream_t)> count) {
  return {std::move(name), std::move(strategy), ResultType::count64,
          [=](void* histogram, cudaStream_t stream) { count(static_cast<Count*>(histogram), length, stream); },
          [=](void* histogram, std::size_t part, cudaStream_t stream) { count(static_cast<Count*>(histogram), part, stream); }};
}

// What the project has best for the case: the letters' own kernel, else what the plan says.
std::optional<Contender> make_limit(const Case& c, const Problem& problem) {
  if (c.layout == Layout::letters)
    return of("limit", "bit-planes", problem.length, [=](Count* histogram, std::size_t length, cudaStream_t stream) {
      count_letters(static_cast<const std::uint8_t*>(problem.samples), length, histogram, stream);
    });
  const Plan plan = plan_for(problem);
  return of("limit", describe(plan), problem.length, [=](Count* histogram, std::size_t length, cudaStream_t stream) {
    Problem part = problem;
    part.length = length, part.histogram = histogram;
    count(part, plan, stream);
  });
}

// Letters by way of all 256 values.
std::optional<Contender> make_byte_values(const Case& c, const Problem& problem) {
  if (c.layout != Layout::letters) return {};
  return of("byte-values", "byte-values", problem.length, [=](Count* histogram, std::size_t length, cudaStream_t stream) {
    count_bytes(static_cast<const std::uint8_t*>(problem.samples), length, problem.bins, histogram, stream);
  });
}

}  // namespace

const std::vector<Kernel>& kernels() {
  static const std::vector<Kernel> all = {
      {"limit", "the project's fastest for the case: bit planes for letters, else what the plan says", make_limit},
      {"byte-values", "letters by way of all 256 values", make_byte_values},
      {"cub", "cub::DeviceHistogram, HistogramEven or HistogramRange", make_cub},
  };
  return all;
}

}  // namespace histolab::kernels::cuda::bench

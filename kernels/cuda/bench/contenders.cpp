#include "kernels/cuda/bench/contenders.h"

#include <fmt/format.h>

#include <memory>

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
  if (plan.binner == Binner::table)
    text += fmt::format(", table of {} pieces", 1u << plan.log_pieces);
  if (plan.binner == Binner::search) text += ", search";
  if (plan.binner == Binner::lookup) text += ", bins of all values";
  return text;
}

// The project's best kernel for the case: the special kernel for letters, otherwise
// that of the plan.
std::optional<Contender> make_limit(const Case& c, const Problem& problem) {
  const auto workspace = std::make_shared<Workspace>();
  if (c.layout == Layout::letters)
    return Contender{
        "limit", "bit-planes", ResultType::count64, [=](void* histogram, cudaStream_t stream) {
          count_letters(static_cast<const std::uint8_t*>(problem.samples), problem.length,
                        static_cast<Count*>(histogram), *workspace, stream);
        }};
  const Plan plan = plan_for(problem);
  return Contender{"limit", describe(plan), ResultType::count64,
                   [=](void* histogram, cudaStream_t stream) {
                     Problem into = problem;
                     into.histogram = static_cast<Count*>(histogram);
                     count(into, plan, *workspace, stream);
                   }};
}

// Counts letters by counting all 256 values.
std::optional<Contender> make_byte_values(const Case& c, const Problem& problem) {
  if (c.layout != Layout::letters) return {};
  const auto workspace = std::make_shared<Workspace>();
  const Plan plan = plan_for(problem);
  return Contender{
      "byte-values", "byte-values", ResultType::count64, [=](void* histogram, cudaStream_t stream) {
        count_bytes(static_cast<const std::uint8_t*>(problem.samples), problem.length, problem.bins,
                    plan, static_cast<Count*>(histogram), *workspace, stream);
      }};
}

}  // namespace

std::vector<Kernel>& kernels() {
  static std::vector<Kernel> all = [] {
    std::vector<Kernel> some = {
        {"limit",
         "the project's fastest for the case: bit planes for letters, else what the plan says",
         make_limit},
        {"byte-values", "letters by way of all 256 values", make_byte_values},
        {"cub", "cub::DeviceHistogram, HistogramEven or HistogramRange", make_cub},
    };
    for (Kernel& kernel : textbook_kernels()) some.push_back(std::move(kernel));
    return some;
  }();
  return all;
}

}  // namespace histolab::kernels::cuda::bench

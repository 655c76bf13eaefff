#include "kernels/cuda/histogram.h"

#include "kernels/cuda/bytes.h"
#include "kernels/cuda/plan.h"
#include "kernels/cuda/wide.h"

namespace histolab::kernels::cuda {

void count(const Problem& problem, const Plan& plan, const Workspace& workspace,
           cudaStream_t stream) {
  switch (plan.strategy) {
    case Strategy::byte_values:
      return count_bytes(static_cast<const std::uint8_t*>(problem.samples), problem.length,
                         problem.bins, plan, problem.histogram, workspace, stream);
    case Strategy::direct: return count_direct(problem, plan, workspace, stream);
    case Strategy::copies:
    case Strategy::parts:
      return (problem.type == SampleType::u16 ? count_u16 : count_u32)(
          problem, plan, problem.histogram, workspace, stream);
    case Strategy::values_then_fold: {
      count_u16(problem, plan, workspace.counts_of_values(), workspace, stream);
      return fold(workspace.counts_of_values(), Workspace::values, problem.bins, problem.histogram,
                  stream);
    }
  }
}

Plan plan_for(const Problem& problem) {
  return choose(problem.type, problem.bins, problem.length, current_chip());
}

void count(const Problem& problem, const Workspace& workspace, cudaStream_t stream) {
  count(problem, plan_for(problem), workspace, stream);
}

}  // namespace histolab::kernels::cuda

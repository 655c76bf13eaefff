// 16-bit samples, any bins.
#include "kernels/cuda/wide.cuh"
#include "kernels/cuda/wide.h"

namespace histolab::kernels::cuda {

void count_u16(const Problem& problem, const Plan& plan, Count* histogram,
               const Workspace& workspace, cudaStream_t stream) {
  switch (plan.binner) {
    case Binner::shift:
      return launch_wide<std::uint16_t>(problem, plan, shift_bins(plan.bins, 16), histogram,
                                        workspace, stream);
    case Binner::product:
      return launch_wide<std::uint16_t>(problem, plan, ProductBins<16>(problem.bins), histogram,
                                        workspace, stream);
    case Binner::search:
      return launch_wide<std::uint16_t>(problem, plan, SearchBins{.bins = problem.bins}, histogram,
                                        workspace, stream);
    default:
      return launch_wide<std::uint16_t>(problem, plan, LookupBins{.bins = problem.bins}, histogram,
                                        workspace, stream);
  }
}

}  // namespace histolab::kernels::cuda

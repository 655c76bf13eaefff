// 32-bit samples, any bins.
#include "kernels/cuda/wide.cuh"
#include "kernels/cuda/wide.h"

namespace histolab::kernels::cuda {

void count_u32(const Problem& problem, const Plan& plan, Count* histogram,
               const Workspace& workspace, cudaStream_t stream) {
  const Bins& bins = problem.bins;
  switch (plan.binner) {
    case Binner::shift:
      return launch_wide<std::uint32_t>(problem, plan, shift_bins(plan.bins, 32), histogram,
                                        workspace, stream);
    case Binner::product:
      if (bins.count < bins.upper - bins.lower)
        return launch_wide<std::uint32_t>(problem, plan, ProductBins<32>(bins), histogram,
                                          workspace, stream);
      return launch_wide<std::uint32_t>(problem, plan, ProductBins<64>(bins), histogram, workspace,
                                        stream);
    case Binner::search:
      return launch_wide<std::uint32_t>(problem, plan, SearchBins{.bins = problem.bins}, histogram,
                                        workspace, stream);
    default:
      return launch_wide<std::uint32_t>(problem, plan,
                                        TableBins{.bins = bins, .log_pieces = plan.log_pieces},
                                        histogram, workspace, stream);
  }
}

}  // namespace histolab::kernels::cuda

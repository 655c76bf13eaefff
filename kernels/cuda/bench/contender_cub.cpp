#include <bit>
#include <limits>
#include <memory>

#include "kernels/cuda/bench/contenders.h"
#include "kernels/cuda/cub_baseline.h"
#include "kernels/gpu/runtime.h"

namespace histolab::kernels::cuda::bench {

// Uses floating-point levels, with which CUB is fastest, if they are exact: if the number of bins
// over the whole range is a power of two. Uneven levels are integers.
std::optional<Contender> make_cub(const Case& c, const Problem& problem) {
  if (problem.length > std::numeric_limits<int>::max()) return {};
  const bool uneven = c.layout != Layout::even;
  const CubLevels levels = std::has_single_bit(c.bins) ? CubLevels::floating : CubLevels::integer;
  std::size_t bytes = 0;
  cub_histogram(problem, levels, nullptr, nullptr, &bytes, nullptr);
  const auto storage = std::make_shared<gpu::DeviceMemory>(bytes);
  std::string strategy = uneven ? "HistogramRange" : "HistogramEven";
  if (!uneven && c.type != SampleType::u8)
    strategy += levels == CubLevels::integer ? ", integer levels"
                : c.type == SampleType::u16  ? ", float levels"
                                             : ", double levels";
  return Contender{"cub", strategy, ResultType::count32, [=](void* histogram, cudaStream_t stream) {
                     std::size_t size = bytes;
                     cub_histogram(problem, levels, static_cast<std::uint32_t*>(histogram),
                                   storage->as<void>(), &size, stream);
                   }};
}

}  // namespace histolab::kernels::cuda::bench

#include "kernels/cuda/cub_baseline.h"

#include <cub/device/device_histogram.cuh>

#include "kernels/gpu/runtime.h"

namespace histolab::kernels::cuda {
namespace {

template <class Sample, class Level>
cudaError_t even(const Problem& problem, std::uint32_t* histogram, void* storage,
                 std::size_t* bytes, cudaStream_t stream) {
  return cub::DeviceHistogram::HistogramEven(
      storage, *bytes, static_cast<const Sample*>(problem.samples), histogram,
      static_cast<int>(problem.bins.count) + 1, static_cast<Level>(problem.bins.lower),
      static_cast<Level>(problem.bins.upper), static_cast<int>(problem.length), stream);
}

template <class Sample>
cudaError_t range(const Problem& problem, std::uint32_t* histogram, void* storage,
                  std::size_t* bytes, cudaStream_t stream) {
  return cub::DeviceHistogram::HistogramRange(
      storage, *bytes, static_cast<const Sample*>(problem.samples), histogram,
      static_cast<int>(problem.bins.count) + 1, problem.bins.levels,
      static_cast<int>(problem.length), stream);
}

}  // namespace

void cub_histogram(const Problem& problem, CubLevels levels, std::uint32_t* histogram,
                   void* storage, std::size_t* bytes, cudaStream_t stream) {
  const auto run = [&] {
    const bool floating = levels == CubLevels::floating;
    if (problem.bins.levels != nullptr) {
      switch (problem.type) {
        case SampleType::u8: return range<std::uint8_t>(problem, histogram, storage, bytes, stream);
        case SampleType::u16:
          return range<std::uint16_t>(problem, histogram, storage, bytes, stream);
        case SampleType::u32:
          return range<std::uint32_t>(problem, histogram, storage, bytes, stream);
      }
    }
    switch (problem.type) {
      case SampleType::u8:
        return even<std::uint8_t, int>(problem, histogram, storage, bytes, stream);
      case SampleType::u16:
        return floating ? even<std::uint16_t, float>(problem, histogram, storage, bytes, stream)
                        : even<std::uint16_t, int>(problem, histogram, storage, bytes, stream);
      case SampleType::u32:
        return floating
                   ? even<std::uint32_t, double>(problem, histogram, storage, bytes, stream)
                   : even<std::uint32_t, std::uint64_t>(problem, histogram, storage, bytes, stream);
    }
    return cudaErrorInvalidValue;
  };
  gpu::check(run(), "run CUB's DeviceHistogram");
}

}  // namespace histolab::kernels::cuda

#include "kernels/cuda/histogram.h"

#include "kernels/cuda/bytes.h"
#include "kernels/cuda/plan.h"
#include "kernels/cuda/wide.h"
#include "kernels/gpu/runtime.h"

namespace histolab::kernels::cuda {
namespace {

// Memory of a stream's pool: its allocation and release are in the stream's order, and free of synchronization.
class StreamMemory {
 public:
  StreamMemory(std::size_t bytes, cudaStream_t stream) : stream_(stream) {
    gpu::check(cudaMallocAsync(&data_, bytes, stream), "allocate memory on the GPU");
  }
  StreamMemory(const StreamMemory&) = delete;
  StreamMemory& operator=(const StreamMemory&) = delete;
  ~StreamMemory() { cudaFreeAsync(data_, stream_); }
  [[nodiscard]] Count* counts() const { return static_cast<Count*>(data_); }

 private:
  void* data_ = nullptr;
  cudaStream_t stream_;
};

}  // namespace

void count(const Problem& problem, const Plan& plan, cudaStream_t stream) {
  switch (plan.strategy) {
    case Strategy::byte_values:
      return count_bytes(static_cast<const std::uint8_t*>(problem.samples), problem.length, problem.bins,
                         problem.histogram, stream);
    case Strategy::copies:
    case Strategy::parts:
      return (problem.type == SampleType::u16 ? count_u16 : count_u32)(problem, plan, problem.histogram, stream);
    case Strategy::values_then_fold: {
      constexpr unsigned values = 65536;
      const StreamMemory of_values(values * sizeof(Count), stream);
      count_u16(problem, plan, of_values.counts(), stream);
      return fold(of_values.counts(), values, problem.bins, problem.histogram, stream);
    }
  }
}

Plan plan_for(const Problem& problem) {
  return choose(problem.type, problem.bins, samples_per_block(problem.length, bytes_of(problem.type)),
                shared_bytes_per_block());
}

void count(const Problem& problem, cudaStream_t stream) { count(problem, plan_for(problem), stream); }

}  // namespace histolab::kernels::cuda

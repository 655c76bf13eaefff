#include <fmt/format.h>

#include <bit>
#include <memory>

#include "kernels/cuda/bench/contenders.h"
#include "kernels/cuda/lessons/kernels.h"
#include "kernels/cuda/plan.h"
#include "kernels/gpu/runtime.h"

namespace histolab::kernels::cuda::bench {
namespace {

// As for the labs' kernels. With so many samples, the slowest kernel takes a fifth of a second.
constexpr std::size_t longest_for_textbook = std::size_t{1} << 28;

std::optional<lessons::Work> work_for(const Case& c, const Problem& problem) {
  const bool whole_range = c.layout == Layout::even && std::has_single_bit(c.bins);
  if (c.length > longest_for_textbook || (c.layout != Layout::letters && !whole_range)) return {};
  lessons::Work work;
  work.data = problem.samples;
  work.length = static_cast<unsigned>(c.length);
  work.element_bytes = bytes_of(c.type);
  work.binning =
      c.layout == Layout::letters ? lessons::Binning::letters : lessons::Binning::leading_bits;
  work.bins = c.bins;
  work.persistent_blocks = current_chip().multiprocessors * 8;
  return work;
}

std::optional<Contender> make(const lessons::Choice& choice, const std::string& name, const Case& c,
                              const Problem& problem) {
  const std::optional<lessons::Work> work = work_for(c, problem);
  if (!work || !lessons::runs(choice, *work, current_chip().shared_bytes)) return {};
  const std::size_t copies_bytes = lessons::copies_words(choice, *work) * sizeof(unsigned);
  const auto copies = std::make_shared<gpu::DeviceMemory>(copies_bytes);
  return Contender{
      name, "textbook", ResultType::count32, [=](void* histogram, cudaStream_t stream) {
        gpu::check(cudaMemsetAsync(histogram, 0, work->bins * sizeof(unsigned), stream),
                   "zero the histogram");
        if (copies_bytes > 0)
          gpu::check(cudaMemsetAsync(copies->as(), 0, copies_bytes, stream), "zero the copies");
        lessons::Work mine = *work;
        mine.histo = static_cast<unsigned*>(histogram);
        mine.copies = copies->as<unsigned>();
        mine.stream = stream;
        lessons::launch(choice, mine);
      }};
}

}  // namespace

std::vector<Kernel> textbook_kernels() {
  const std::vector<std::pair<lessons::Choice, std::string>> all = {
      {{"global"}, "one thread per element, atomicAdd in global memory"},
      {{"global-block"}, "a chunk for each thread, atomicAdd in global memory"},
      {{"global-interleaved"}, "a grid-stride loop, atomicAdd in global memory"},
      {{"global-interleaved-aggregated"}, "the same, a run of equal bins added once"},
      {{"global-copies-apart"}, "a copy for each block in global memory"},
      {{"shared"}, "one thread per element, a private copy in shared memory"},
      {{"shared-block"}, "a chunk for each thread, a private copy in shared memory"},
      {{"shared-interleaved"}, "a grid-stride loop, a private copy in shared memory"},
      {{"shared-interleaved-aggregated"}, "the same, a run of equal bins added once"},
      {{"shared-contiguous", 16}, "16 neighbours for each thread, a private copy in shared memory"},
      {{"shared-tile", 16},
       "16 elements for each thread, side by side, a private copy in shared memory"},
      {{"registers"}, "seven counters in each thread's registers; letters only"},
  };
  std::vector<Kernel> kernels;
  for (const auto& [choice, description] : all) {
    std::string name = choice.kernel;
    if (choice.factor > 0) name += fmt::format("-{}", choice.factor);
    kernels.push_back(
        {name, description, [choice = choice, name](const Case& c, const Problem& problem) {
           return make(choice, name, c, problem);
         }});
  }
  return kernels;
}

}  // namespace histolab::kernels::cuda::bench

// Kernels with counts in global memory: the race, atomics, and a copy per block.
#include "kernels/cuda/lessons/launch.cuh"
#include "kernels/cuda/lessons/private_copy.cuh"

namespace histolab::kernels::cuda::lessons {
namespace {

template <class Element, class Binning>
__global__ void race(const Element* data, unsigned length, Binning binning, unsigned* histo) {
  PerElement::each(length,
                   [&](unsigned i) { binning(data[i], [&](unsigned bin) { histo[bin]++; }); });
}

template <class Schedule, class Element, class Binning>
__global__ void atomics(const Element* data, unsigned length, Binning binning, unsigned* histo) {
  Schedule::each(length, [&](unsigned i) {
    binning(data[i], [&](unsigned bin) { atomicAdd(&histo[bin], 1u); });
  });
}

template <class Schedule, class Element, class Binning>
__global__ void aggregated(const Element* data, unsigned length, Binning binning, unsigned* histo) {
  Run run{histo};
  Schedule::each(length,
                 [&](unsigned i) { binning(data[i], [&](unsigned bin) { run.count(bin); }); });
  run.flush();
}

// The copies of two neighbouring blocks are `stride` words apart.
template <class Schedule, class Element, class Binning>
__global__ void global_copies(const Element* data, unsigned length, Binning binning,
                              unsigned* copies, unsigned stride, unsigned* histo) {
  unsigned* copy = copies + std::size_t{blockIdx.x} * stride;
  Schedule::each(length, [&](unsigned i) {
    binning(data[i], [&](unsigned bin) { atomicAdd(&copy[bin], 1u); });
  });
  commit(copy, binning, histo);
}

// Rounds up to whole cache lines of 32 words.
unsigned apart(unsigned bins) { return (bins + 31) / 32 * 32; }

}  // namespace

bool launch_global(const Choice& choice, const Work& work) {
  bool found = true;
  with_types(work, [&](const auto* data, auto binning) {
    using E = std::remove_cvref_t<decltype(*data)>;
    using B = decltype(binning);
    const auto run = [&](auto* kernel, unsigned blocks) {
      start(work, kernel, blocks, 0, data, work.length, binning, work.histo);
    };
    const auto copies = [&](auto* kernel, unsigned blocks, unsigned stride) {
      start(work, kernel, blocks, 0, data, work.length, binning, work.copies, stride, work.histo);
    };
    const unsigned many = blocks_for(work, 1), few = work.persistent_blocks;
    if (choice.kernel == "race")
      run(race<E, B>, many);
    else if (choice.kernel == "global")
      run(atomics<PerElement, E, B>, many);
    else if (choice.kernel == "global-block")
      run(atomics<BlockPartition, E, B>, few);
    else if (choice.kernel == "global-interleaved")
      run(atomics<GridStride, E, B>, few);
    else if (choice.kernel == "global-block-aggregated")
      run(aggregated<BlockPartition, E, B>, few);
    else if (choice.kernel == "global-interleaved-aggregated")
      run(aggregated<GridStride, E, B>, few);
    else if (choice.kernel == "global-copies")
      copies(global_copies<GridStride, E, B>, few, work.bins);
    else if (choice.kernel == "global-copies-apart")
      copies(global_copies<GridStride, E, B>, few, apart(work.bins));
    else if (choice.kernel == "global-copies-each")
      copies(global_copies<PerElement, E, B>, many, work.bins);
    else
      found = false;
  });
  return found;
}

}  // namespace histolab::kernels::cuda::lessons

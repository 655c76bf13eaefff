#include "reference/work_sharing.h"

#include <algorithm>
#include <optional>

namespace histolab::reference {
namespace {

std::uint64_t ceil_div(std::uint64_t a, std::uint64_t b) { return (a + b - 1) / b; }

std::uint64_t chunk(const Sharing& sharing) {
  return std::max<std::uint64_t>(1, ceil_div(sharing.length, sharing.threads));
}

// Returns the lengths of the runs of equal bins.
std::vector<std::uint64_t> runs_of(std::string_view bytes, const Binning& binning) {
  std::vector<std::uint64_t> runs;
  std::optional<std::uint32_t> previous;
  for (const char byte : bytes) {
    const std::optional<std::uint32_t> bin = binning.bin_of(static_cast<std::uint8_t>(byte));
    if (!bin) continue;
    if (bin != previous) runs.push_back(0);
    ++runs.back();
    previous = bin;
  }
  return runs;
}

}  // namespace

std::vector<std::uint64_t> elements_of_share(std::uint64_t length, std::uint64_t factor,
                                             std::uint64_t thread) {
  std::vector<std::uint64_t> elements;
  const std::uint64_t end = std::min(length, (thread + 1) * factor);
  for (std::uint64_t i = thread * factor; i < end; ++i) elements.push_back(i);
  return elements;
}

std::vector<std::uint64_t> elements_of(const Sharing& sharing, std::uint64_t thread) {
  if (sharing.partition == Partition::blocks)
    return elements_of_share(sharing.length, chunk(sharing), thread);
  std::vector<std::uint64_t> elements;
  for (std::uint64_t i = thread; i < sharing.length; i += sharing.threads) elements.push_back(i);
  return elements;
}

std::uint64_t thread_of(const Sharing& sharing, std::uint64_t element) {
  return sharing.partition == Partition::blocks ? element / chunk(sharing)
                                                : element % sharing.threads;
}

std::uint64_t threads_without_work(const Sharing& sharing) {
  const std::uint64_t busy = sharing.partition == Partition::blocks
                                 ? ceil_div(sharing.length, chunk(sharing))
                                 : sharing.length;
  return sharing.threads - std::min(sharing.threads, busy);
}

std::uint64_t blocks_needed(std::uint64_t length, std::uint64_t block, std::uint64_t coarsening) {
  return std::max<std::uint64_t>(1, ceil_div(length, block * coarsening));
}

Atomics atomics_issued(const Counting& kernel) {
  if (!kernel.privatized) return {kernel.counted, 0};
  return {kernel.blocks * kernel.bins, kernel.counted};
}

std::uint64_t flushes(std::string_view bytes, const Binning& binning) {
  return runs_of(bytes, binning).size();
}

std::uint64_t last_run(std::string_view bytes, const Binning& binning) {
  const std::vector<std::uint64_t> runs = runs_of(bytes, binning);
  return runs.empty() ? 0 : runs.back();
}

}  // namespace histolab::reference

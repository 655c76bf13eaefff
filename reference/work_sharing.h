// Who takes which element, and how many atomic operations a grid issues: the arithmetic of the labs' kernels.
//
// In blocks: each thread a contiguous chunk of ceil(length / threads) elements, the last ones fewer or none. Interleaved:
// thread t takes t, t + threads, t + 2 threads, ... Both cover each element exactly once.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "reference/histogram.h"

namespace histolab::reference {

enum class Partition { blocks, interleaved };

struct Sharing {
  std::uint64_t length = 0, threads = 1;  // threads >= 1
  Partition partition = Partition::blocks;
};
// Indices of the elements that thread `thread` takes, ascending; empty where it has none.
[[nodiscard]] std::vector<std::uint64_t> elements_of(const Sharing& sharing, std::uint64_t thread);
// Of contiguous coarsening, where a thread takes `factor` neighbours, the last ones fewer or none.
[[nodiscard]] std::vector<std::uint64_t> elements_of_share(std::uint64_t length, std::uint64_t factor, std::uint64_t thread);
// `element` < length.
[[nodiscard]] std::uint64_t thread_of(const Sharing& sharing, std::uint64_t element);
[[nodiscard]] std::uint64_t threads_without_work(const Sharing& sharing);

// ceil(length / (block * coarsening)), at least 1.
[[nodiscard]] std::uint64_t blocks_needed(std::uint64_t length, std::uint64_t block, std::uint64_t coarsening);

// One atomic operation for each element that is counted; with a private copy for each block in shared memory those are on
// the copy, and each block adds each of its bins to the result, empty or not.
struct Counting {
  std::uint64_t counted = 0;  // elements that fall in a bin
  std::uint64_t blocks = 1, bins = 7;
  bool privatized = true;
};
struct Atomics {
  std::uint64_t global = 0, shared = 0;
};
[[nodiscard]] Atomics atomics_issued(const Counting& kernel);

// Of a thread that aggregates: the runs of equal bins in what it reads, which is as often as it flushes. A byte without a bin
// ends no run.
[[nodiscard]] std::uint64_t flushes(std::string_view bytes, const Binning& binning);
// How many elements the last of those runs counts: what is lost without the final flush.
[[nodiscard]] std::uint64_t last_run(std::string_view bytes, const Binning& binning);

}  // namespace histolab::reference

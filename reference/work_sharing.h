// Distribution of elements over threads, and the number of atomic operations of a grid: the
// arithmetic of the labs' kernels.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "reference/histogram.h"

namespace histolab::reference {

// Both partitions cover each element exactly once. `blocks`: each thread takes a contiguous chunk
// of ceil(length / threads) elements; the last threads take fewer or none. `interleaved`: thread t
// takes t, t + threads, t + 2 threads, ...
enum class Partition { blocks, interleaved };

struct Sharing {
  std::uint64_t length = 0, threads = 1;  // threads >= 1
  Partition partition = Partition::blocks;
};
// Returns the indices of the thread's elements, ascending; empty if it has none.
[[nodiscard]] std::vector<std::uint64_t> elements_of(const Sharing& sharing, std::uint64_t thread);
// The same for contiguous coarsening: each thread takes `factor` neighbours, the last threads fewer
// or none.
[[nodiscard]] std::vector<std::uint64_t> elements_of_share(std::uint64_t length,
                                                           std::uint64_t factor,
                                                           std::uint64_t thread);
// Returns the thread that takes `element`, which must be < length.
[[nodiscard]] std::uint64_t thread_of(const Sharing& sharing, std::uint64_t element);
[[nodiscard]] std::uint64_t threads_without_work(const Sharing& sharing);

// Returns ceil(length / (block * coarsening)), at least 1.
[[nodiscard]] std::uint64_t blocks_needed(std::uint64_t length, std::uint64_t block,
                                          std::uint64_t coarsening);

// A kernel makes one atomic operation per counted element. If each block has a private copy
// in shared memory, these go to the copy, and each block adds all its bins, also empty
// ones, to the result.
struct Counting {
  std::uint64_t counted = 0;  // elements with a bin
  std::uint64_t blocks = 1, bins = 7;
  bool privatized = true;
};
struct Atomics {
  std::uint64_t global = 0, shared = 0;
};
[[nodiscard]] Atomics atomics_issued(const Counting& kernel);

// Returns the number of flushes of a thread that aggregates: the runs of equal bins in its bytes. A
// byte without a bin does not end a run.
[[nodiscard]] std::uint64_t flushes(std::string_view bytes, const Binning& binning);
// Returns the number of elements in the last run. A kernel without the final flush loses them.
[[nodiscard]] std::uint64_t last_run(std::string_view bytes, const Binning& binning);

}  // namespace histolab::reference

// KernelRace: the steps of a small block's threads on the memory in which they count. They are
// recorded in a launch of a real kernel, for `histolab race --kernel`. Each thread gets one letter
// m, so all threads update the same bin.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "grader/lab/lab.h"
#include "kernels/device.h"
#include "reference/increments.h"
#include "reference/result.h"
#include "reference/update_ledger.h"

namespace histolab::grader {

struct KernelRace {
  static constexpr std::uint32_t least_threads = 2, most_threads = 4;

  struct Setup {
    std::uint32_t threads = least_threads;
    kernels::Schedule schedule = kernels::Schedule::random;
    std::uint64_t seed = 1;
  };
  // A thread has one register per address: the value it last loaded from or stored to that address.
  struct Step {
    std::uint32_t thread = 0;
    int line = 0;  // 1-based; 0 unknown
    kernels::Operation operation = kernels::Operation::load;
    kernels::Space space = kernels::Space::global;
    std::string variable;
    std::uint64_t index = 0;
    // After an atomic operation: the old value that it returned.
    std::optional<std::uint64_t> register_before, register_after;
    // nullopt if this shared memory was never set.
    std::optional<std::uint64_t> memory_before, memory_after;

    [[nodiscard]] std::string place() const;  // "histo[3]"
  };

  Setup setup;
  std::string kernel_path, source;              // the file and its text
  std::string counter;                          // "histo[3]": the bin of the letters
  std::uint64_t expected = 0, final_value = 0;  // that bin's
  // The steps at addresses where some thread stored a nonzero value: the bin, private copies of it,
  // and other memory by which the kernel counts.
  std::vector<Step> steps;
  bool cut = false;  // more steps happened than were recorded
  // Empty if the bin is correct. Times are indices into `steps`.
  std::vector<reference::LostUpdate> lost;
  kernels::Ending ending = kernels::Ending::completed;
  std::string ending_detail;

  // True if no thread updates memory by a separate load and store.
  [[nodiscard]] bool only_atomic() const;
  [[nodiscard]] bool right() const {
    return ending == kernels::Ending::completed && final_value == expected;
  }
};

// Launches a compiled kernel with the lab's ABI. Returns an Error only if the machine fails.
[[nodiscard]] Result<KernelRace> race_of_kernel(kernels::Device& emulator, const LabSpec& lab,
                                                const kernels::Compiled& compiled,
                                                const std::string& source,
                                                const KernelRace::Setup& setup);

// The launch as increments, if every thread makes the same number of increments of one address and
// nothing else. Otherwise returns an Error that says why not, in a sentence.
[[nodiscard]] Result<reference::Increments> increments_of(const KernelRace& race);

// One or two sentences: which update was lost and which store overwrote it, or why none was lost.
[[nodiscard]] std::string verdict(const KernelRace& race);
// A row per step, the source lines of the steps, and the verdict.
[[nodiscard]] std::string to_text(const KernelRace& race);

}  // namespace histolab::grader

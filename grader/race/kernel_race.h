// KernelRace: what the threads of one small block did, step by step, to the memory in which they
// count: a real kernel's launch, as `histolab race --kernel` shows it. Each thread has one letter
// m, so all of them meet in one bin.
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
  // Registers are the thread's own, one for each place in memory: what it loaded from there or
  // stored there last.
  struct Step {
    std::uint32_t thread = 0;
    int line = 0;  // 1-based; 0 unknown
    kernels::Operation operation = kernels::Operation::load;
    kernels::Space space = kernels::Space::global;
    std::string variable;
    std::uint64_t index = 0;
    std::optional<std::uint64_t> register_before,
        register_after;  // of an atomic operation, after: what it found
    std::optional<std::uint64_t> memory_before,
        memory_after;  // none: nobody has set this shared memory yet

    [[nodiscard]] std::string place() const;  // "histo[3]"
  };

  Setup setup;
  std::string kernel_path, source;              // and its text, of which lines are shown
  std::string counter;                          // "histo[3]": the bin that the letters fall into
  std::uint64_t expected = 0, final_value = 0;  // of it
  // Of places in which somebody left something but 0: the bin, private copies of it, what else the
  // kernel counts by.
  std::vector<Step> steps;
  bool cut = false;  // there were more than are recorded
  std::vector<reference::LostUpdate>
      lost;  // empty when the bin is right; times are indices into `steps`
  kernels::Ending ending = kernels::Ending::completed;
  std::string ending_detail;

  [[nodiscard]] bool only_atomic()
      const;  // no thread updates a place by a load and a store of its own
  [[nodiscard]] bool right() const {
    return ending == kernels::Ending::completed && final_value == expected;
  }
};

// Launches the kernel, which has compiled, on the lab's ABI. Error: the machine's fault only.
[[nodiscard]] Result<KernelRace> race_of_kernel(kernels::Device& emulator, const LabSpec& lab,
                                                const kernels::Compiled& compiled,
                                                const std::string& source,
                                                const KernelRace::Setup& setup);

// What the threads did, where that is nothing but increments of one place, as many of each thread.
// Error: why it is more than that, in a sentence.
[[nodiscard]] Result<reference::Increments> increments_of(const KernelRace& race);

// One sentence or two: which update was lost and which store overwrote it, or why none was.
[[nodiscard]] std::string verdict(const KernelRace& race);
// A row for each step, the lines they come from, the verdict.
[[nodiscard]] std::string to_text(const KernelRace& race);

}  // namespace histolab::grader

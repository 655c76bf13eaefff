// KernelRace: the steps of a few threads on memory that they share. They are recorded in a launch
// of a real kernel, for `histolab race --kernel`. A lab's kernel is launched with a small block.
// Each thread gets one letter m, so all threads update the same bin. A launch of a whole program is
// the program's own, and shows some of its threads.
#pragma once

#include <cstdint>
#include <map>
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
    std::uint32_t thread = 0;  // of the shown ones
    int line = 0;              // 1-based; 0 unknown
    std::string file = {};     // of the line, if it is not `kernel_path`
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

  // The launch of a whole program.
  struct Launch {
    std::uint64_t number = 0;
    std::string text;  // "count<<<2, 64>>> at main.cu:14"
    std::string kernel;
    kernels::Dim3 grid, block;
    std::vector<kernels::ThreadId> threads = {};  // the shown ones
    std::string race = {};                        // message of its first data race, or empty
  };

  Setup setup;
  std::string kernel_path;
  std::map<std::string, std::string> texts;  // of files, by Step::file
  std::optional<Launch> launch;              // of a whole program
  // "histo[3]": the bin of the letters. In a program, the element of the data race, or that of the
  // first step; empty without steps.
  std::string counter;
  // Values of that element. `expected` is 0 if it is unknown, in a program.
  std::uint64_t expected = 0, final_value = 0;
  // For a lab: steps at addresses where some thread stored a nonzero value, such as the bin, its
  // private copies, and other memory in which the kernel counts. For a program: steps at addresses
  // that several of the threads use, or else at addresses that they write.
  std::vector<Step> steps;
  bool cut = false;  // more steps happened than were recorded
  // Times are indices into `steps`. Empty if the bin is correct, or if a program has no data race.
  std::vector<reference::LostUpdate> lost;
  kernels::Ending ending = kernels::Ending::completed;
  std::string ending_detail;

  // True if no thread updates memory by a separate load and store.
  [[nodiscard]] bool only_atomic() const;
  [[nodiscard]] bool right() const {
    return ending == kernels::Ending::completed && !launch && final_value == expected;
  }
};

// Launches a compiled kernel with the lab's ABI. Returns an Error only if the machine fails.
[[nodiscard]] Result<KernelRace> race_of_kernel(kernels::Device& emulator, const LabSpec& lab,
                                                const kernels::Compiled& compiled,
                                                const std::string& source,
                                                const KernelRace::Setup& setup);

// Chooses threads of a program's launch that use the same memory, from its data race and its
// recorded steps. Returns their numbers, as in Options::recorded_threads. Threads in one block come
// first, because blocks run one after the other.
[[nodiscard]] std::vector<std::uint64_t> threads_to_show(const kernels::Observation& observation,
                                                         const KernelRace::Launch& launch,
                                                         std::uint32_t count);

// The steps of some threads of a program's launch. `path` is its first source.
[[nodiscard]] KernelRace race_of_launch(const kernels::Observation& observation,
                                        KernelRace::Launch launch,
                                        const std::vector<std::uint64_t>& threads,
                                        const std::string& path, const KernelRace::Setup& setup);

// The launch as increments, if every thread makes the same number of increments of one address and
// nothing else. Otherwise returns an Error that says why not, in a sentence.
[[nodiscard]] Result<reference::Increments> increments_of(const KernelRace& race);

// One or two sentences: which update was lost and which store overwrote it, or why none was lost.
[[nodiscard]] std::string verdict(const KernelRace& race);
// A row per step, the source lines of the steps, and the verdict.
[[nodiscard]] std::string to_text(const KernelRace& race);

}  // namespace histolab::grader

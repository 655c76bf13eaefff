// Usage: the disk and the memory that a running program takes up, and their limits.
//
// Linux limits the size of each file of a process, but not their number, and not the pages of a
// shared memory file. So this looks a few times a second. A program may exceed a limit by the bytes
// that it writes meanwhile.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

namespace histolab::kernels::program {

struct UsageLimits {
  std::uint64_t file_bytes = 1ull << 30, files = 10'000;  // more than at the program's start
  std::uint64_t memory_bytes = half_of_the_machine();     // of the device, that have contents

  // Half of this machine's memory, in bytes.
  static std::uint64_t half_of_the_machine();
};

class Usage {
 public:
  // `folders`: those to which the program may write. `memory`: descriptor of its device memory,
  // borrowed.
  Usage(std::vector<std::string> folders, int memory, const UsageLimits& limits = {});

  // Returns whether the program must end. Looks only if the last look was some time ago.
  [[nodiscard]] bool exceeds();
  // Returns the reason, for a message. Empty as long as no limit is exceeded.
  [[nodiscard]] const std::string& reason() const { return reason_; }

 private:
  struct Files {
    std::uint64_t bytes = 0, count = 0;
    std::uint64_t unread = 0;  // folders that this process cannot read
  };
  [[nodiscard]] Files files() const;
  [[nodiscard]] std::uint64_t free_bytes() const;  // of the fullest disk
  [[nodiscard]] std::string look() const;

  const std::vector<std::string> folders_;
  const int memory_;
  const UsageLimits limits_;
  const Files before_;
  const std::uint64_t free_before_;
  std::chrono::steady_clock::time_point next_look_;
  std::string reason_;
};

}  // namespace histolab::kernels::program

// A child process with limits, seen through to its end.
//
// run_process() starts a program in an empty environment but for what is given, in a process group of its own, with no
// descriptor but those named, waits, and returns what it wrote and how it ended. The child never outlives the call, nor
// its parent (PR_SET_PDEATHSIG). The place where a full sandbox will wrap the child is `ProcessSpec`.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "reference/result.h"

namespace histolab::kernels::worker {

struct ProcessLimits {
  std::chrono::milliseconds wall{10'000};
  std::uint64_t cpu_seconds = 10;
  std::uint64_t data_bytes = 2ull << 30;   // private writable memory (RLIMIT_DATA)
  std::uint64_t file_bytes = 64ull << 20;  // of one file it writes
  std::uint64_t output_bytes = 4ull << 20; // of stdout and of stderr; more is read and thrown away
};

struct ProcessSpec {
  std::vector<std::string> command;      // command[0] is a path, or a name to be found in /usr/bin and /bin
  std::vector<std::string> environment;  // "NAME=value"
  std::string directory;                 // empty: the caller's
  std::vector<std::pair<int, int>> descriptors;  // (ours, the child's number >= 3)
  ProcessLimits limits;
};

struct ProcessResult {
  enum class End { exited, signalled, timed_out, cancelled };
  End end = End::exited;
  int code = 0;  // exit status, or the signal's number
  std::string output, errors;
  bool output_cut = false;
};

// Error: the machine could not start it.
[[nodiscard]] Result<ProcessResult> run_process(const ProcessSpec& spec);

// Kills what runs now and lets every later run_process() return `cancelled` at once. Async-signal-safe; for good.
void cancel_all() noexcept;
[[nodiscard]] bool cancelled() noexcept;

}  // namespace histolab::kernels::worker

// A child process with limits, seen through to its end.
//
// run_process() starts a program, waits for it, and returns its output and how it ended. The
// program runs in a process group of its own, with only the given environment and the named
// descriptors. Neither the child nor other processes of its group outlive the call, and all of them
// end with the caller, however it ends (process_groups.h). A Confinement, if one is named, puts the
// child into a sandbox. A Companion is a persistent child that answers many requests (cells.h).
//
// A Cancellation ends the children that name it. cancel_all() is a switch for the whole process,
// thrown once. After cancel_all() nothing begins that must not outlive the process: children are
// started, and Unfinished objects made, under the lock that cancel_all() takes. So once
// all_finished() returns true, the process may end and leaves nothing behind.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "kernels/cancellation.h"
#include "reference/result.h"

namespace histolab::kernels::worker {

struct ProcessLimits {
  std::uint64_t cpu_seconds = 10;           // of each process; what counts, since a busy machine is nobody's fault
  std::chrono::milliseconds wall{60'000};  // for one that sleeps, unless `is_held_back` says that it is to
  std::uint64_t data_bytes = 2ull << 30;   // private writable memory (RLIMIT_DATA)
  std::uint64_t file_bytes = 64ull << 20;  // of one file it writes
  std::uint64_t output_bytes = 4ull << 20; // of stdout and of stderr; more is read and thrown away
};

// ProcessLimits::file_bytes of a process that must not write files. The thread sanitizer writes one
// when a program starts.
#ifdef HISTOLAB_SANITIZED_THREADS
inline constexpr std::uint64_t no_file_bytes = 1ull << 20;
#else
inline constexpr std::uint64_t no_file_bytes = 0;
#endif

class Confinement;

// A child's purpose decides what it may do.
enum class Purpose { compile, serve, gpu };

// Folders to search for a program that is named without a path, in this order. PATH is ignored.
inline constexpr std::array program_folders = {"/usr/local/bin", "/usr/bin", "/bin"};
[[nodiscard]] std::vector<std::string> places_of_program(const std::string& name_or_path);

struct ProcessSpec {
  std::vector<std::string> command;      // command[0] is a path, or a name to be found in program_folders
  std::vector<std::string> environment;  // "NAME=value"
  std::string directory;                 // empty: the caller's
  std::string reads;                     // a folder besides, which a Confinement lets it read; empty: none
  std::vector<std::pair<int, int>> descriptors;  // (ours, the child's number: 3 to 63)
  ProcessLimits limits;
  // Loads the child at the same addresses each time, if the machine allows it. Then neither a value
  // that a kernel computes from an address nor the efficiency of caches changes from run to run.
  bool fixed_addresses = false;
  // Called with the child's standard output as it arrives. Empty if the output is only needed at
  // the end.
  std::function<void(std::string_view)> on_output;
  // run_process() calls it every few milliseconds: does the child wait for a process on this side?
  // The wall clock is suspended then. If empty, the child never waits.
  std::function<bool()> is_held_back;
  const Cancellation* cancellation = nullptr;  // by which this child, among others, can be ended; borrowed
  const Confinement* confinement = nullptr;    // null: limits only; borrowed
  Purpose purpose = Purpose::compile;
  bool spreads = false;  // a launch that may be run by several processes of its own
};

// Keeps a child from the rest of the machine (grader/sandbox).
class Confinement {
 public:
  virtual ~Confinement() = default;
  [[nodiscard]] virtual std::string_view name() const = 0;  // of its tier, for reports
  // Returns the process that starts `spec` inside of a sandbox. The child may write in
  // `spec.directory` only; if empty, nowhere. Returns an Error if the machine fails.
  [[nodiscard]] virtual Result<ProcessSpec> confine(ProcessSpec spec) const = 0;
};

struct ProcessResult {
  enum class End { exited, signalled, timed_out, cancelled };  // timed out: by either clock
  End end = End::exited;
  int code = 0;  // exit status, or the signal's number
  std::string output, errors;
  bool output_cut = false;
  // Used by a worker of Cells and by the children that it waited for. Not known if the wall clock
  // ended the child.
  std::chrono::microseconds processor{0};

  void tell(int status);  // of one that ended by itself: `end` and `code` from a wait status
};

// Returns an Error if the machine could not start it.
[[nodiscard]] Result<ProcessResult> run_process(const ProcessSpec& spec);
// Returns the first line that a command prints; empty if it does not start, or fails.
[[nodiscard]] std::string first_line_of(const std::vector<std::string>& command);

// A child that stays until this object or the process ends. Its output is lost. The caller must
// enforce its time limits.
class Companion {
 public:
  static Result<Companion> start(const ProcessSpec& spec);
  Companion(Companion&& other) noexcept : pid_(std::exchange(other.pid_, -1)) {}
  Companion& operator=(Companion&&) = delete;
  ~Companion();
  [[nodiscard]] int pid() const { return pid_; }  // and the number of its group

 private:
  explicit Companion(int pid) : pid_(pid) {}
  int pid_;
};

// Kills all running children and lets every later run_process() return `cancelled` at once. From
// any thread, but from no signal handler; for good. It does not wait for the killed children.
void cancel_all();
[[nodiscard]] bool cancelled() noexcept;

// Held while something exists that must not outlive this process: a child, a folder of temporary
// files.
class Unfinished {
 public:
  Unfinished();
  ~Unfinished();
  Unfinished(const Unfinished&) = delete;
  Unfinished& operator=(const Unfinished&) = delete;
  [[nodiscard]] bool may_begin() const { return may_begin_; }  // false: all was cancelled before

 private:
  bool may_begin_;
};

// Returns whether nothing is unfinished, now or before `patience` is over. After cancel_all() the
// companions are dead then, too.
[[nodiscard]] bool all_finished(std::chrono::milliseconds patience);

}  // namespace histolab::kernels::worker

// Child processes with limits, in their own process group, supervised until they end. Neither a
// child nor its descendants in the group outlive run_process() or this process. Guardian,
// cancellation and worker pool: docs/architecture.md, "How children are started and ended".
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
  // CPU seconds per process. This is the limit that decides: wall time depends on the machine's
  // load.
  std::uint64_t cpu_seconds = 10;
  // Ends a child that sleeps. The clock is suspended while `is_held_back` returns true.
  std::chrono::milliseconds wall{60'000};
  std::uint64_t data_bytes = 2ull << 30;    // private writable memory (RLIMIT_DATA)
  std::uint64_t file_bytes = 64ull << 20;   // per file that the child writes
  std::uint64_t output_bytes = 4ull << 20;  // per stream; the rest is discarded
  std::uint64_t open_files = 128;           // at once, in each process
};

// Value of ProcessLimits::file_bytes for a process that must not write files. The thread sanitizer
// writes one when a program starts.
#ifdef HISTOLAB_SANITIZED_THREADS
inline constexpr std::uint64_t no_file_bytes = 1ull << 20;
#else
inline constexpr std::uint64_t no_file_bytes = 0;
#endif

class Confinement;

// A child's purpose decides what it may do. `program`: a student's program for the CPU.
enum class Purpose { compile, serve, gpu, program };

// Folders in which a program named without a path is searched, in this order. PATH is ignored.
inline constexpr std::array program_folders = {"/usr/local/bin", "/usr/bin", "/bin"};
// Returns the paths at which the program is tried, in order.
[[nodiscard]] std::vector<std::string> places_of_program(const std::string& name_or_path);

struct ProcessSpec {
  std::vector<std::string> command;      // command[0]: path, or a name in program_folders
  std::string name;                      // its argv[0]; command[0] if empty
  std::vector<std::string> environment;  // "NAME=value"
  std::string directory;  // it starts here, and may write here; the caller's if empty
  std::string starts_in;  // it starts in this folder instead, which is one of those below
  std::vector<std::string> reads, writes;  // more folders that it may read, or write, too
  // Its standard input; -1 for /dev/null. A child never gets a terminal, with which it could type
  // into the user's shell: it gets a pipe with what the user types.
  int input = -1;
  std::vector<std::pair<int, int>> descriptors;  // (ours, the child's number: 3 to 63)
  ProcessLimits limits;
  // Loads the child at the same addresses each time, if the machine allows it. Then neither a value
  // that a kernel computes from an address nor the efficiency of caches changes from run to run.
  bool fixed_addresses = false;
  // Called with the child's standard output, or error output, as it arrives. Empty if it is only
  // needed at the end.
  std::function<void(std::string_view)> on_output, on_errors;
  // Called by run_process() every few milliseconds. Returns whether the child waits for a process
  // on this side; the wall clock is suspended then. If empty, the child never waits.
  std::function<bool()> is_held_back;
  // Called as often, also if the child waits. If it returns true, the child ends as it does when
  // its time is over. May be empty.
  std::function<bool()> must_end;
  const Cancellation* cancellation = nullptr;  // can end this child among others; borrowed
  const Confinement* confinement = nullptr;    // null = limits only; borrowed
  Purpose purpose = Purpose::compile;
};

// A sandbox for children (implemented in grader/sandbox).
class Confinement {
 public:
  virtual ~Confinement() = default;
  [[nodiscard]] virtual std::string_view name() const = 0;  // of its tier, for reports
  // Returns the process that starts `spec` inside a sandbox. The child may write in
  // `spec.directory` and `spec.writes` only. Returns an Error if the machine fails.
  [[nodiscard]] virtual Result<ProcessSpec> confine(ProcessSpec spec) const = 0;
};

struct ProcessResult {
  enum class End { exited, signalled, timed_out, cancelled };  // timed_out: either clock
  End end = End::exited;
  int code = 0;  // exit status or signal number
  std::string output, errors;
  bool output_cut = false;
  // CPU time of a worker in WorkerPool and of the children that it waited for. Unknown if the wall
  // clock ended the child.
  std::chrono::microseconds processor{0};

  // Sets `end` and `code` from the wait status of a child that was not killed by this process.
  void set_end(int status);
};

// Runs the command and waits for its end. Returns an Error if the machine could not start it.
[[nodiscard]] Result<ProcessResult> run_process(const ProcessSpec& spec);
// Returns the first line of the command's output; empty if it does not start or fails.
[[nodiscard]] std::string first_line_of(const std::vector<std::string>& command);

// A persistent child: it stays until this object or the process ends. Its output is discarded. The
// caller must enforce its time limits.
class Companion {
 public:
  static Result<Companion> start(const ProcessSpec& spec);
  Companion(Companion&& other) noexcept : pid_(std::exchange(other.pid_, -1)) {}
  Companion& operator=(Companion&&) = delete;
  ~Companion();
  [[nodiscard]] int pid() const { return pid_; }  // also the number of its group

 private:
  explicit Companion(int pid) : pid_(pid) {}
  int pid_;
};

// Kills all running children and does not wait for them. This is permanent: every later
// run_process() returns `cancelled` at once. Thread-safe, but not to be called from a signal
// handler.
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
  [[nodiscard]] bool may_begin() const { return may_begin_; }  // false after cancel_all()

 private:
  bool may_begin_;
};

// Waits up to `patience` until no Unfinished object is left, and returns whether that is so. After
// cancel_all() the companions are dead then, too, and this process can end without leaving
// anything.
[[nodiscard]] bool all_finished(std::chrono::milliseconds patience);

}  // namespace histolab::kernels::worker

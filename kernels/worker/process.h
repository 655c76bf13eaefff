// A child process with limits, seen through to its end.
//
// run_process() starts a program in an empty environment but for what is given, in a process group of its own, with no
// descriptor but those named, waits, and returns what it wrote and how it ended. Neither the child nor what it started in
// its group outlives the call, and all of them end with the caller, however it ends (process_groups.h). A Confinement, where one is named, puts
// the child into a sandbox. A Companion is a child that stays, to be asked again and again (cells.h).
//
// A Cancellation ends the children that name it. cancel_all() is a switch for the whole process, thrown once. After cancel_all() nothing of what must not outlive the
// process begins (a child is started, and an Unfinished made, under the lock that cancel_all() takes), so once
// all_finished() says so the process may end and leaves nothing behind.
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

// ProcessLimits::file_bytes of who is to write no file. The thread sanitizer writes one when a program starts.
#ifdef HISTOLAB_SANITIZED_THREADS
inline constexpr std::uint64_t no_file_bytes = 1ull << 20;
#else
inline constexpr std::uint64_t no_file_bytes = 0;
#endif

class Confinement;

// What a child is for decides what it may do.
enum class Purpose { compile, serve, gpu };

// Where a program is looked for that is named without a path, in this order: nobody's PATH has a say in what is run.
inline constexpr std::array program_folders = {"/usr/local/bin", "/usr/bin", "/bin"};
[[nodiscard]] std::vector<std::string> places_of_program(const std::string& name_or_path);

struct ProcessSpec {
  std::vector<std::string> command;      // command[0] is a path, or a name to be found in program_folders
  std::vector<std::string> environment;  // "NAME=value"
  std::string directory;                 // empty: the caller's
  std::string reads;                     // a folder besides, which a Confinement lets it read; empty: none
  std::vector<std::pair<int, int>> descriptors;  // (ours, the child's number: 3 to 63)
  ProcessLimits limits;
  // At the same addresses each time, where the machine allows it: then neither what a kernel computes from an address nor
  // how well caches serve it changes from run to run.
  bool fixed_addresses = false;
  // Called with what arrives on the child's standard output, as it arrives; empty: nobody wants to know before the end.
  std::function<void(std::string_view)> on_output;
  // Asked every few milliseconds, by run_process() itself: does the child wait for somebody here? The wall clock stands
  // still then. Empty: never.
  std::function<bool()> is_held_back;
  const Cancellation* cancellation = nullptr;  // by which this child, among others, can be ended; borrowed
  const Confinement* confinement = nullptr;    // null: limits only; borrowed
  Purpose purpose = Purpose::compile;
  bool spreads = false;  // a launch that may be run by several processes of its own
};

// How a child is kept from the rest of the machine (grader/sandbox).
class Confinement {
 public:
  virtual ~Confinement() = default;
  [[nodiscard]] virtual std::string_view name() const = 0;  // of its tier, for reports
  // The process that starts `spec` inside of a sandbox. `spec.directory` is where it may write; empty: nowhere. Error: the machine's.
  [[nodiscard]] virtual Result<ProcessSpec> confine(ProcessSpec spec) const = 0;
};

struct ProcessResult {
  enum class End { exited, signalled, timed_out, cancelled };  // timed out: by either clock
  End end = End::exited;
  int code = 0;  // exit status, or the signal's number
  std::string output, errors;
  bool output_cut = false;
  // By a worker of Cells, and by what that waited for; not known of one that the clock on the wall ended.
  std::chrono::microseconds processor{0};

  void tell(int status);  // of one that ended by itself: `end` and `code` from a wait status
};

// Error: the machine could not start it.
[[nodiscard]] Result<ProcessResult> run_process(const ProcessSpec& spec);
// Of what a command prints; empty: it does not start, or fails.
[[nodiscard]] std::string first_line_of(const std::vector<std::string>& command);

// A child that stays until this object goes, or the process. Its output is lost, and of the limits those of time are the caller's to watch over.
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

// Kills what runs now and lets every later run_process() return `cancelled` at once. From any thread, but from no signal
// handler; for good. It does not wait for what it kills.
void cancel_all();
[[nodiscard]] bool cancelled() noexcept;

// Held while something exists that must not outlive this process: a child, a folder of temporary files.
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

// Whether nothing is unfinished, now or before `patience` is over. After cancel_all() the companions are dead then, too.
[[nodiscard]] bool all_finished(std::chrono::milliseconds patience);

}  // namespace histolab::kernels::worker

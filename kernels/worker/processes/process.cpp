#include "kernels/worker/processes/process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <condition_variable>
#include <cstring>
#include <mutex>
#include <optional>

#include "kernels/worker/processes/process_groups.h"
#include "kernels/worker/processes/process_limit.h"
#include "kernels/worker/processes/program_start.h"
#include "kernels/worker/processes/supervised_child.h"

namespace histolab::kernels::worker {
namespace {

// Held from the check of is_cancelled until the new child or Unfinished is recorded.
std::mutex beginning;
ProcessGroups running;                 // killed by cancel_all
int unfinished = 0;                    // number of Unfinished objects with may_begin
std::condition_variable nothing_left;  // signalled when unfinished is 0 again
constexpr int high = child_descriptors;
std::atomic<bool> is_cancelled{false};

// Waits until the child and its whole group are dead, and returns the child's wait status. The
// group leaves `running` after the child's death, since the child itself stores its number there.
// It leaves before the child is reaped, since the system may reuse the number after that.
int wait_for_group(pid_t group) {
  siginfo_t dead{};
  while (waitid(P_PID, static_cast<id_t>(group), &dead, WEXITED | WNOWAIT) < 0 && errno == EINTR) {
  }
  running.forget(group);
  const int status = wait_for_child(group);
  int of_another = 0;
  while (waitpid(-group, &of_another, 0) > 0 || errno == EINTR) {
  }
  return status;
}

// Makes the kernel's out-of-memory killer pick this process before the grader.
void die_first() {
  const int score = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
  if (score < 0) return;
  const ssize_t ignored = write(score, "1000", 4);
  static_cast<void>(ignored);
  close(score);
}

// Runs in the child before exec, so it calls only async-signal-safe functions.
bool limit_child(const ProcessSpec& spec) {
  die_first();
  limit(RLIMIT_CORE, 0);
  limit(RLIMIT_CPU, spec.limits.cpu_seconds, 1);  // SIGXCPU reports the reason
  limit(RLIMIT_DATA, spec.limits.data_bytes);
  limit(RLIMIT_FSIZE, spec.limits.file_bytes);
  limit(RLIMIT_NOFILE, spec.limits.open_files);
  const std::string& start = spec.starts_in.empty() ? spec.directory : spec.starts_in;
  return start.empty() || chdir(start.c_str()) == 0;
}

}  // namespace

void cancel_all() {
  const std::lock_guard lock{beginning};
  is_cancelled = true;
  running.kill_all();
}

bool cancelled() noexcept { return is_cancelled; }

std::vector<std::string> places_of_program(const std::string& name_or_path) {
  if (name_or_path.find('/') != std::string::npos) return {name_or_path};
  std::vector<std::string> places;
  for (const char* folder : program_folders)
    places.push_back(fmt::format("{}/{}", folder, name_or_path));
  return places;
}

Unfinished::Unfinished() {
  const std::lock_guard lock{beginning};
  may_begin_ = !is_cancelled;
  if (may_begin_) ++unfinished;
}

Unfinished::~Unfinished() {
  if (!may_begin_) return;
  const std::lock_guard lock{beginning};
  if (--unfinished == 0) nothing_left.notify_all();
}

bool all_finished(std::chrono::milliseconds patience) {
  std::unique_lock lock{beginning};
  if (!nothing_left.wait_for(lock, patience, [] { return unfinished == 0; })) return false;
  if (!is_cancelled) return true;
  for (const pid_t companion : running.all()) wait_for_group(companion);  // killed by cancel_all
  running.dismiss_guardian();
  return true;
}

namespace {

// Starts the child of a spec that is already confined. Returns nullopt if cancel_all() was called
// or the child's own Cancellation was cancelled.
Result<std::optional<pid_t>> start_child(const ProcessSpec& spec, int in, int out, int err) {
  // Orphaned grandchildren become children of this process, so that it can wait for their end.
  static const int adopts = prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
  static_cast<void>(adopts);
  for (const auto& [ours, childs] : spec.descriptors)
    if (childs < 3 || childs >= high || spec.descriptors.size() > high)
      return Error{
          fmt::format("cannot start {}: it would need more than {} descriptors; use fewer buffers",
                      spec.command[0], high)};
  rlimit files{};
  if (const std::size_t needed = high + spec.descriptors.size() + 3;
      getrlimit(RLIMIT_NOFILE, &files) == 0 && files.rlim_cur < needed)
    return Error{fmt::format(
        "cannot start {}: {} open files are allowed, and it takes {}. Allow more: ulimit -n 1024",
        spec.command[0], files.rlim_cur, needed)};
  ProgramStart start{.command = spec.command,
                     .paths = places_of_program(spec.command[0]),
                     .environment = spec.environment,
                     .descriptors = spec.descriptors,
                     .own_group = true,
                     .fixed_addresses = spec.fixed_addresses,
                     .default_signals = true,
                     .prepare = [&spec] { return limit_child(spec); }};
  if (!spec.name.empty()) start.command[0] = spec.name;
  start.descriptors.insert(start.descriptors.end(), {{out, 1}, {err, 2}, {in, 0}});
  const std::lock_guard lock{beginning};
  if (is_cancelled || (spec.cancellation != nullptr && spec.cancellation->cancelled()))
    return std::optional<pid_t>{};
  const Result<ProcessGroups::Place*> place = running.place();
  if (!place)
    return Error{fmt::format("cannot start {}: {}", spec.command[0], place.error().message)};
  start.number = *place;
  const pid_t pid = start_program(start);
  if (pid < 0)
    return Error{
        fmt::format("cannot start {}: no process left: {}", spec.command[0], std::strerror(errno))};
  setpgid(pid, pid);  // in parent and child, so that the group exists before a kill
  **place = pid;
  return std::optional<pid_t>{pid};
}

int bury(pid_t pid) {
  running.kill(pid);  // with all processes that it started
  return wait_for_group(pid);
}

Result<ProcessSpec> confined(const ProcessSpec& spec) {
  return spec.confinement == nullptr ? Result<ProcessSpec>{spec} : spec.confinement->confine(spec);
}

}  // namespace

Result<ProcessResult> run_process(const ProcessSpec& asked) {
  ProcessResult result;
  result.end = ProcessResult::End::cancelled;
  const Unfinished unfinished;
  if (!unfinished.may_begin()) return result;
  const ProcessSpec spec = TRY(confined(asked));
  SupervisedChild child(spec);
  if (!child.open())
    return Error{fmt::format("cannot start {}: no descriptor left: {}", spec.command[0],
                             std::strerror(errno))};
  const std::optional<pid_t> started =
      TRY(start_child(spec, child.child_input(), child.child_output(), child.child_errors()));
  if (!started) return result;
  const pid_t pid = *started;
  if (spec.cancellation != nullptr) spec.cancellation->add(pid);
  child.close_childs_ends();
  const Descriptor process(static_cast<int>(syscall(SYS_pidfd_open, pid, 0)));
  const Result<bool> ended =
      process.get() < 0
          ? Error{fmt::format("cannot watch over {}: {}", spec.command[0], std::strerror(errno))}
          : child.wait_for(process.get());
  if (spec.cancellation != nullptr) spec.cancellation->forget(pid);
  const int status = bury(pid);
  result.end = TRY(ended) ? ProcessResult::End::exited : ProcessResult::End::timed_out;
  child.finish(result);
  if (cancelled() || (spec.cancellation != nullptr && spec.cancellation->cancelled()))
    result.end = ProcessResult::End::cancelled;
  if (result.end == ProcessResult::End::exited) result.set_end(status);
  return result;
}

std::string first_line_of(const std::vector<std::string>& command) {
  ProcessSpec spec;
  spec.command = command;
  const Result<ProcessResult> ran = run_process(spec);
  if (!ran || ran->end != ProcessResult::End::exited || ran->code != 0) return {};
  return ran->output.substr(0, ran->output.find('\n'));
}

void ProcessResult::set_end(int status) {
  code = WIFEXITED(status) ? WEXITSTATUS(status) : WTERMSIG(status);
  if (WIFSIGNALED(status)) end = code == SIGXCPU ? End::timed_out : End::signalled;
}

Result<Companion> Companion::start(const ProcessSpec& asked) {
  const ProcessSpec spec = TRY(confined(asked));
  const Descriptor nowhere(open("/dev/null", O_WRONLY | O_CLOEXEC));
  const std::optional<pid_t> started = TRY(start_child(spec, -1, nowhere.get(), nowhere.get()));
  if (!started) return Error{"interrupted"};
  return Companion(*started);
}

Companion::~Companion() {
  if (pid_ >= 0) bury(pid_);
}

}  // namespace histolab::kernels::worker

#include "kernels/worker/process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/resource.h>
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

namespace histolab::kernels::worker {
namespace {

std::mutex beginning;                  // held from the look at is_cancelled until what begins is known below
std::vector<pid_t> running;            // process groups that cancel_all has to kill
int unfinished = 0;                    // Unfinished that may_begin
std::condition_variable nothing_left;  // unfinished is 0 again
constexpr int high = 64;  // descriptors of a child are below
constexpr std::chrono::milliseconds between_looks{20};  // at whether a child is held back
std::atomic<bool> is_cancelled{false};

// The number may be another process's as soon as the child is waited for, so it is forgotten before.
void kill_and_forget(pid_t group) {
  const std::lock_guard lock{beginning};
  kill(-group, SIGKILL);
  std::erase(running, group);
}

class Descriptor {
 public:
  explicit Descriptor(int fd = -1) : fd_(fd) {}
  Descriptor(Descriptor&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
  }
  ~Descriptor() { reset(); }
  void reset() {
    if (fd_ >= 0) close(fd_);
    fd_ = -1;
  }
  [[nodiscard]] int get() const { return fd_; }

 private:
  int fd_;
};

struct Pipe {
  Descriptor read, write;
  bool open() {
    int fds[2];
    if (pipe2(fds, O_CLOEXEC) != 0) return false;
    read = Descriptor(fds[0]);
    write = Descriptor(fds[1]);
    return true;
  }
};

void limit(int resource, std::uint64_t value, std::uint64_t grace = 0) {
  const rlimit both{value, value + grace};
  setrlimit(static_cast<__rlimit_resource>(resource), &both);
}

// Between fork and exec: only what is async-signal-safe.
[[noreturn]] void become(const ProcessSpec& spec, const char* const* paths, char* const* argv, char* const* envp, int out, int err,
                         pid_t parent) {
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(127);  // it died before it could be asked
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  for (const int s : {SIGINT, SIGQUIT, SIGTERM, SIGPIPE, SIGHUP}) signal(s, SIG_DFL);
  limit(RLIMIT_CORE, 0);
  limit(RLIMIT_CPU, spec.limits.cpu_seconds, 1);  // SIGXCPU, which says what happened, before SIGKILL
  limit(RLIMIT_DATA, spec.limits.data_bytes);
  limit(RLIMIT_FSIZE, spec.limits.file_bytes);
  if (spec.fixed_addresses) personality(ADDR_NO_RANDOMIZE);
  // First out of the way of every number that is wanted, then onto it.
  std::array<int, high> held{};
  const std::size_t count = spec.descriptors.size();
  for (std::size_t i = 0; i < count; ++i) held[i] = fcntl(spec.descriptors[i].first, F_DUPFD, high);
  const int null = open("/dev/null", O_RDONLY);
  const int high_out = fcntl(out, F_DUPFD, high), high_err = fcntl(err, F_DUPFD, high);
  dup2(null, 0);
  dup2(high_out, 1);
  dup2(high_err, 2);
  close_range(3, high - 1, 0);
  for (std::size_t i = 0; i < count; ++i) dup2(held[i], spec.descriptors[i].second);
  close_range(high, ~0u, 0);
  limit(RLIMIT_NOFILE, 2 * high);  // only now: above, the caller's own descriptors may reach further
  if (!spec.directory.empty() && chdir(spec.directory.c_str()) != 0) _exit(127);
  for (; *paths != nullptr; ++paths) execve(*paths, argv, envp);
  _exit(127);
}

void read_some(Descriptor& from, std::string& into, std::uint64_t most, bool& cut) {
  char chunk[65536];
  const ssize_t got = ::read(from.get(), chunk, sizeof chunk);
  if (got < 0 && (errno == EINTR || errno == EAGAIN)) return;
  if (got <= 0) return from.reset();
  const std::uint64_t room = most - std::min<std::uint64_t>(most, into.size());
  into.append(chunk, std::min<std::uint64_t>(room, static_cast<std::uint64_t>(got)));
  cut |= room < static_cast<std::uint64_t>(got);
}

std::vector<char*> pointers(const std::vector<std::string>& texts) {
  std::vector<char*> result;
  for (const std::string& text : texts) result.push_back(const_cast<char*>(text.c_str()));
  result.push_back(nullptr);
  return result;
}

}  // namespace

void cancel_all() {
  const std::lock_guard lock{beginning};
  is_cancelled = true;
  for (const pid_t group : running) kill(-group, SIGKILL);
}

bool cancelled() noexcept { return is_cancelled; }

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
  return nothing_left.wait_for(lock, patience, [] { return unfinished == 0; });
}

Result<ProcessResult> run_process(const ProcessSpec& spec) {
  ProcessResult result;
  result.end = ProcessResult::End::cancelled;
  const Unfinished child;
  if (!child.may_begin()) return result;
  // What the child started becomes a child of ours when it dies, so that its end can be waited for.
  static const int adopts = prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
  static_cast<void>(adopts);
  for (const auto& [ours, childs] : spec.descriptors)
    if (childs < 3 || childs >= high || spec.descriptors.size() > high)
      return Error{fmt::format("cannot start {}: it would need more than {} descriptors; use fewer buffers", spec.command[0], high)};
  const auto failed = [&](const char* what) { return Error{fmt::format("cannot start {}: {}: {}", spec.command[0], what, std::strerror(errno))}; };
  Pipe out, err;
  if (!out.open() || !err.open()) return failed("no descriptor left");
  std::vector<std::string> candidates{spec.command[0]};
  if (spec.command[0].find('/') == std::string::npos) candidates = {"/usr/bin/" + spec.command[0], "/bin/" + spec.command[0], "/usr/local/bin/" + spec.command[0]};
  const std::vector<char*> argv = pointers(spec.command), envp = pointers(spec.environment), paths = pointers(candidates);

  auto looked = std::chrono::steady_clock::now(), deadline = looked + spec.limits.wall;
  const pid_t parent = getpid();
  pid_t pid = -1;
  {
    const std::lock_guard lock{beginning};
    if (is_cancelled || (spec.cancellation != nullptr && spec.cancellation->cancelled())) return result;
    running.reserve(running.size() + 1);  // nothing may throw once there is a child
    pid = fork();
    if (pid == 0)
      become(spec, const_cast<const char* const*>(paths.data()), argv.data(), envp.data(), out.write.get(),
             err.write.get(), parent);
    if (pid < 0) return failed("no process left");
    setpgid(pid, pid);  // whoever comes first, so that the group exists before it may be killed
    running.push_back(pid);
  }
  if (spec.cancellation != nullptr) spec.cancellation->add(pid);
  result.end = ProcessResult::End::exited;
  out.write.reset();
  err.write.reset();
  const Descriptor process(static_cast<int>(syscall(SYS_pidfd_open, pid, 0)));

  std::size_t told = 0;
  const auto tell_new_output = [&] {
    if (spec.on_output && result.output.size() > told) spec.on_output(std::string_view{result.output}.substr(told));
    told = result.output.size();
  };

  bool alive = true;
  while (alive) {
    const auto now = std::chrono::steady_clock::now();
    if (spec.is_held_back && spec.is_held_back()) deadline += now - looked;
    looked = now;
    auto left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline - now);
    if (left.count() <= 0) {
      result.end = ProcessResult::End::timed_out;
      break;
    }
    if (spec.is_held_back) left = std::min(left, between_looks);
    pollfd watched[3] = {{out.read.get(), POLLIN, 0}, {err.read.get(), POLLIN, 0}, {process.get(), POLLIN, 0}};
    if (poll(watched, 3, static_cast<int>(left.count()) + 1) < 0) {
      if (errno == EINTR) continue;
      break;
    }
    bool cut_errors = false;
    if (watched[0].revents != 0) {
      read_some(out.read, result.output, spec.limits.output_bytes, result.output_cut);
      tell_new_output();
    }
    if (watched[1].revents != 0) read_some(err.read, result.errors, spec.limits.output_bytes, cut_errors);
    if (watched[2].revents != 0) alive = false;
  }
  if (spec.cancellation != nullptr) spec.cancellation->forget(pid);
  kill_and_forget(pid);  // also whatever it may have started
  int status = 0, of_another = 0;
  while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {}
  while (waitpid(-pid, &of_another, 0) > 0 || errno == EINTR) {
  }
  // What was written before the end and is still in the pipes.
  for (Descriptor* pipe : {&out.read, &err.read}) {
    if (pipe->get() < 0) continue;
    fcntl(pipe->get(), F_SETFL, O_NONBLOCK);
    bool cut = false;
    std::string& into = pipe == &out.read ? result.output : result.errors;
    for (std::size_t before = ~0ull; pipe->get() >= 0 && before != into.size();) {
      before = into.size();
      read_some(*pipe, into, spec.limits.output_bytes, pipe == &out.read ? result.output_cut : cut);
    }
  }
  tell_new_output();
  if (cancelled() || (spec.cancellation != nullptr && spec.cancellation->cancelled())) result.end = ProcessResult::End::cancelled;
  if (result.end != ProcessResult::End::exited) return result;
  result.code = WIFEXITED(status) ? WEXITSTATUS(status) : WTERMSIG(status);
  if (WIFSIGNALED(status)) result.end = result.code == SIGXCPU ? ProcessResult::End::timed_out : ProcessResult::End::signalled;
  return result;
}

}  // namespace histolab::kernels::worker

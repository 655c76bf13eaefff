#include "kernels/worker/processes/program_start.h"

#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <memory>
#include <new>
#include <system_error>
#include <thread>

namespace histolab::kernels::worker {
namespace {

constexpr int high = child_descriptors;

struct Start {
  const ProgramStart& how;
  char* const* paths;  // null pointers only: search PATH
  char* const* argv;
  char* const* envp;
  pid_t parent;
};

int must(int descriptor) {
  if (descriptor < 0) _exit(127);
  return descriptor;
}

// Drops pending signals and removes handlers. The child shares the caller's memory: a handler would
// act on the caller's data, and a stop signal would block the caller, too.
void reset_signals(const ProgramStart& how) {
  std::array<bool, NSIG> kept{};
  for (int s = 1; s < NSIG; ++s) {
    struct sigaction now {};
    // histolab itself ignores these two.
    kept[s] = !how.default_signals && s != SIGPIPE && s != SIGXFSZ &&
              sigaction(s, nullptr, &now) == 0 && now.sa_handler == SIG_IGN;
    if (!kept[s]) signal(s, SIG_IGN);
  }
  if (how.terminal >= 0) tcsetpgrp(how.terminal, getpid());  // needs an ignored SIGTTOU
  for (int s = 1; s < NSIG; ++s)
    if (!kept[s]) signal(s, SIG_DFL);
}

// First moves the descriptors out of the range of all target numbers, then onto their targets.
void place_descriptors(const std::vector<std::pair<int, int>>& wanted) {
  std::array<int, high + 3> held{};
  if (wanted.size() > held.size()) _exit(127);
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    const auto [ours, number] = wanted[i];
    held[i] = ours >= 0 ? ours : must(open("/dev/null", number == 0 ? O_RDONLY : O_WRONLY));
    if (ours >= 0 || held[i] < high) held[i] = must(fcntl(held[i], F_DUPFD, high));
  }
  close_range(3, high - 1, 0);
  for (std::size_t i = 0; i < wanted.size(); ++i) must(dup2(held[i], wanted[i].second));
  close_range(high, ~0u, 0);
}

// Runs in the caller's memory on another stack while the caller waits. Calls only async-signal-safe
// functions.
int become(void* start) {
  const auto& [how, paths, argv, envp, parent] = *static_cast<const Start*>(start);
  if (how.own_group) setpgid(0, 0);
  if (how.number != nullptr) *how.number = getpid();
  if (how.death_signal != 0) prctl(PR_SET_PDEATHSIG, how.death_signal);
  if (getppid() != parent) _exit(127);  // the parent may have ended before this
  if (how.own_session) setsid();
  reset_signals(how);
  if (how.fixed_addresses) personality(ADDR_NO_RANDOMIZE);
  place_descriptors(how.descriptors);
  if (how.prepare && !how.prepare()) _exit(127);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  if (*paths == nullptr) execvpe(argv[0], argv, envp);
  for (char* const* path = paths; *path != nullptr; ++path) execve(*path, argv, envp);
  _exit(127);
}

// Like fork and exec, but without copying the caller's page tables, which would take most of the
// time in a grader with many pages. The thread sanitizer keeps its state for the caller in that
// memory, so under it the child gets a copy.
#ifdef HISTOLAB_SANITIZED_THREADS
constexpr int shared_with_caller = 0;
#else
constexpr int shared_with_caller = CLONE_VM | CLONE_VFORK;
#endif

}  // namespace

pid_t start_program(const ProgramStart& how) {
  constexpr std::size_t stack_bytes = 64 * 1024;
  const std::unique_ptr<char[]> stack(new (std::nothrow) char[stack_bytes]);
  if (stack == nullptr) {
    errno = ENOMEM;
    return -1;
  }
  const std::vector<char*> paths = pointers_to(how.paths), argv = pointers_to(how.command);
  std::vector<char*> envp;
  if (how.environment) envp = pointers_to(*how.environment);
  Start start{how, paths.data(), argv.data(), how.environment ? envp.data() : environ, getpid()};
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);  // so no handler of ours runs in the child
  const pid_t pid = clone(become, stack.get() + stack_bytes, shared_with_caller | SIGCHLD, &start);
  const int error = errno;
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  errno = error;
  return pid;
}

int wait_for_child(pid_t child) {
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return status;
}

void reap_when_ended(pid_t child) {
  try {
    std::thread(wait_for_child, child).detach();
  } catch (const std::system_error&) {  // no more threads: the child stays a zombie
  }
}

std::vector<char*> pointers_to(const std::vector<std::string>& texts) {
  std::vector<char*> result;
  for (const std::string& text : texts) result.push_back(const_cast<char*>(text.c_str()));
  result.push_back(nullptr);
  return result;
}

}  // namespace histolab::kernels::worker

#include "kernels/worker/processes/process_groups.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <new>

#include "kernels/worker/processes/program_start.h"

namespace histolab::kernels::worker {
namespace {

// Runs after fork until the end: only async-signal-safe functions.
template <class Places>
[[noreturn]] void guard(const Places& places, int others_end) {
  prctl(PR_SET_NAME, "histolab-guard");
  setpgid(0, 0);  // so a signal to the caller's group does not end the guardian
  static_cast<void>(!chdir("/"));
  dup2(others_end, 0);
  close_range(1, ~0u, 0);
  for (char byte; read(0, &byte, 1) < 0 && errno == EINTR;) {
  }
  for (const auto& place : places)
    if (const pid_t group = place.load(); group > 0) kill(-group, SIGKILL);
  _exit(0);
}

}  // namespace

Status ProcessGroups::begin() {
  if (owner_ == getpid()) return Done{};
  void* const memory =
      mmap(nullptr, sizeof(Places), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED)
    return Error{fmt::format("no memory for the numbers of processes: {}", std::strerror(errno))};
  Places* const places = new (memory) Places{};
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) {
    const int error = errno;
    munmap(memory, sizeof(Places));
    return Error{fmt::format("no descriptor left: {}", std::strerror(error))};
  }
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);  // blocked in the guardian for good
  const pid_t guardian = fork();
  if (guardian == 0) {
    close(ends[1]);
    guard(*places, ends[0]);
  }
  const int error = errno;
  if (guardian > 0) setpgid(guardian, guardian);  // in parent and child: either may come first
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  close(ends[0]);
  if (guardian < 0) {
    close(ends[1]);
    munmap(memory, sizeof(Places));
    return Error{fmt::format("no process left: {}", std::strerror(error))};
  }
  places_ = places;
  owner_ = getpid();
  guardian_ = guardian;
  alive_ = ends[1];
  return Done{};
}

Result<ProcessGroups::Place*> ProcessGroups::place() {
  TRY(begin());
  const auto free =
      std::ranges::find_if(*places_, [](const Place& place) { return place.load() == 0; });
  if (free == places_->end()) return Error{fmt::format("{} run already", most)};
  return &*free;
}

void ProcessGroups::forget(pid_t group) {
  if (owner_ != getpid()) return;
  for (Place& place : *places_)
    if (pid_t expected = group; place.compare_exchange_strong(expected, 0)) return;
}

std::vector<pid_t> ProcessGroups::all() const {
  std::vector<pid_t> groups;
  if (owner_ != getpid()) return groups;
  for (const Place& place : *places_)
    if (const pid_t group = place.load(); group > 0) groups.push_back(group);
  return groups;
}

void ProcessGroups::kill(pid_t group) const {
  if (const std::vector<pid_t> known = all(); std::ranges::find(known, group) != known.end())
    ::kill(-group, SIGKILL);
}

void ProcessGroups::kill_all() const {
  for (const pid_t group : all()) ::kill(-group, SIGKILL);
}

void ProcessGroups::dismiss_guardian() {
  if (owner_ != getpid()) return;
  owner_ = 0;
  close(alive_);
  wait_for_child(guardian_);
}

}  // namespace histolab::kernels::worker

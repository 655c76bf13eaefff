// ProcessGroups: the process groups that this process has begun, and that end with it, however it ends.
//
// Their numbers are in memory that a guardian shares: a process that sleeps until this one is gone,
// and then kills the remaining groups. It learns of the end from a pipe, whose other end closes by
// SIGKILL, too.
//
// A parent-death signal would not do. It comes when the thread that started the child ends; a child that becomes another user, or
// enters a user's namespace, loses it; and bubblewrap's own children ask for it too late (containers/bubblewrap, issue 633).
#pragma once

#include <sys/types.h>

#include <array>
#include <atomic>
#include <vector>

#include "reference/result.h"

namespace histolab::kernels::worker {

class ProcessGroups {
 public:
  using Place = std::atomic<pid_t>;  // 0: free

  ProcessGroups() = default;
  ProcessGroups(const ProcessGroups&) = delete;
  ProcessGroups& operator=(const ProcessGroups&) = delete;
  ~ProcessGroups() { dismiss_guardian(); }

  // A free place, and a guardian that watches over it. Both sides of a fork write the group's
  // number there: the child before it becomes anything else, so that the guardian knows it from
  // then on, the parent for those below.
  [[nodiscard]] Result<Place*> place();
  void forget(pid_t group);
  void kill(pid_t group) const;  // if it is not forgotten
  void kill_all() const;
  [[nodiscard]] std::vector<pid_t> all() const;
  // A process that ends in good order leaves no other process to be waited for.
  void dismiss_guardian();

 private:
  static constexpr std::size_t most = 1024;
  using Places = std::array<Place, most>;
  Status begin();

  Places* places_ = nullptr;
  pid_t owner_ = 0, guardian_ = 0;  // owner: the process that began this; its forks have none of it
  int alive_ = -1;                  // closes when this process ends
};

}  // namespace histolab::kernels::worker

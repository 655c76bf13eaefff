// The process groups that this process started. They end with it, even if it is killed by SIGKILL:
// a guardian process then kills the groups that are left. See docs/architecture.md, "How children
// are started and ended".
#pragma once

#include <sys/types.h>

#include <array>
#include <atomic>
#include <vector>

#include "reference/result.h"

namespace histolab::kernels::worker {

class ProcessGroups {
 public:
  using Place = std::atomic<pid_t>;  // a process group's number; 0 if free

  ProcessGroups() = default;
  ProcessGroups(const ProcessGroups&) = delete;
  ProcessGroups& operator=(const ProcessGroups&) = delete;
  ~ProcessGroups() { dismiss_guardian(); }

  // Returns a free entry that a guardian watches. Both sides of a fork store the group's number
  // there. The child does so before anything else, so that the guardian knows the group from then
  // on. The parent does so for the functions below. Returns an Error if there is no entry, memory,
  // descriptor or process left.
  [[nodiscard]] Result<Place*> place();
  void forget(pid_t group);
  void kill(pid_t group) const;  // no effect after forget()
  void kill_all() const;
  [[nodiscard]] std::vector<pid_t> all() const;
  // Ends the guardian and waits for it. Call it before a normal end, so that no process is left.
  void dismiss_guardian();

 private:
  static constexpr std::size_t most = 1024;
  using Places = std::array<Place, most>;
  Status begin();

  Places* places_ = nullptr;
  // `owner_` is the process that called begin(). Its forks do not own the groups.
  pid_t owner_ = 0, guardian_ = 0;
  int alive_ = -1;  // write end of a pipe that closes when this process ends
};

}  // namespace histolab::kernels::worker

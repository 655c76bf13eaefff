// Starts programs as child processes: the children of run_process() (limits, sandbox), gdb,
// programs at the terminal, and the viewer. The viewer, which may not use `kernels`, calls
// posix_spawn().
//
// Other children continue this program instead of executing one. They fork() where their work is:
// the guardian (process_groups), the kernels of a server (server), the trials of a right
// (doctor_checks, dropping_privileges), and work in a confined copy of the caller (sandbox/apart).
#pragma once

#include <sys/types.h>

#include <atomic>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace histolab::kernels::worker {

inline constexpr int child_descriptors = 64;  // a child's descriptors are below this

struct ProgramStart {
  std::vector<std::string> command;
  // Paths at which the program is tried, in order. If empty, PATH is searched for command[0].
  std::vector<std::string> paths{};
  std::optional<std::vector<std::string>> environment{};  // nullopt: the caller's
  // (ours, the child's number); ours is -1 for /dev/null. The child gets no other descriptors
  // except 0, 1 and 2.
  std::vector<std::pair<int, int>> descriptors{};
  bool own_group = false, own_session = false;
  bool fixed_addresses = false;  // loads the program at the same addresses each time, if possible
  // Signals that the caller's user ignores (nohup) are not ignored by the child.
  bool default_signals = false;
  int death_signal = 0;  // the child gets it when the calling thread ends; 0 for none
  int terminal = -1;     // a terminal; the child's own group becomes its foreground group
  std::atomic<pid_t>* number = nullptr;  // the child stores its process id there at once
  // Called in the child before exec; ends it with 127 by returning false. It runs in the caller's
  // memory, so it may only call async-signal-safe functions.
  std::function<bool()> prepare{};
};

// Returns the child's process id, or -1 with errno. If the program cannot be executed, the child
// ends with 127.
[[nodiscard]] pid_t start_program(const ProgramStart& start);

// Waits until the child ends, also if signals interrupt the wait. Returns its wait status.
int wait_for_child(pid_t child);

// Waits for the child on a thread of its own, so that the child does not stay a zombie. The caller
// must not wait for it.
void reap_when_ended(pid_t child);

// Pointers to the texts, with a null pointer at the end, as exec takes them.
[[nodiscard]] std::vector<char*> pointers_to(const std::vector<std::string>& texts);

}  // namespace histolab::kernels::worker

#include "kernels/worker/processes/dropping_privileges.h"

#include <fcntl.h>
#include <linux/landlock.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>

#include "kernels/worker/processes/call_filter.h"

namespace histolab::kernels::worker {
namespace {

// Read before any untrusted input arrives.
CallFilter filter;

void leave_all_files() {
  prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  landlock_ruleset_attr all{};
  all.handled_access_fs =
      // mutant without LANDLOCK_ACCESS_FS_EXECUTE: Linux opens a program for reading before it runs
      // it, and the right to read is dropped, too
      LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_READ_FILE |
      LANDLOCK_ACCESS_FS_READ_DIR | LANDLOCK_ACCESS_FS_REMOVE_DIR | LANDLOCK_ACCESS_FS_REMOVE_FILE |
      LANDLOCK_ACCESS_FS_MAKE_CHAR | LANDLOCK_ACCESS_FS_MAKE_DIR | LANDLOCK_ACCESS_FS_MAKE_REG |
      LANDLOCK_ACCESS_FS_MAKE_SOCK | LANDLOCK_ACCESS_FS_MAKE_FIFO | LANDLOCK_ACCESS_FS_MAKE_BLOCK |
      LANDLOCK_ACCESS_FS_MAKE_SYM;
  const int rules = static_cast<int>(syscall(SYS_landlock_create_ruleset, &all, sizeof all, 0));
  // mutant never: without a ruleset the next two calls do nothing
  // mutant < -> <=, 0 -> 1: run_process opens /dev/null as descriptor 0, so no later file gets that
  // number
  if (rules < 0) return;
  // mutant 0 -> 1: since Linux 6.15 this flag disables logging of refusals; before, the call fails
  // with it, which dropping_privileges_test detects
  syscall(SYS_landlock_restrict_self, rules, 0);
  close(rules);
}

}  // namespace

bool drop_files() {
  const bool is_there = fcntl(serve_filter, F_GETFD) >= 0;
  if (is_there && !(filter.read(serve_filter) && close(serve_filter) == 0)) return false;
  // mutant 0 -> 1 #2, 0 -> 1 #3, 0 -> 1 #4: prctl ignores arguments that this option does not take
  prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
  leave_all_files();
  return true;
}

bool drop_system_calls() { return !filter.is_there() || filter.take(); }

int try_to_drop_privileges() {
  if (!drop_files()) return 3;
  const pid_t child = fork();
  // mutant 1 -> 2: the parent only checks whether the value is nonzero
  if (child == 0) _exit(drop_system_calls() ? 0 : 1);
  // mutant 0 -> 1: waitpid writes the value, or it is not used
  int status = 0;
  // mutant > -> >=: the value is only 0 in the child, which has ended by then
  // mutant 0 -> 1: process 1 is never a child
  if (child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status) &&
      WEXITSTATUS(status) == 0)
    return 0;
  std::fputs(
      "histolab-worker: cannot make a child, or that cannot take its filter of system calls\n",
      stderr);
  return 1;
}

}  // namespace histolab::kernels::worker

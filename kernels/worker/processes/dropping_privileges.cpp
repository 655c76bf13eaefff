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
      LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_READ_FILE |
      LANDLOCK_ACCESS_FS_READ_DIR | LANDLOCK_ACCESS_FS_REMOVE_DIR | LANDLOCK_ACCESS_FS_REMOVE_FILE |
      LANDLOCK_ACCESS_FS_MAKE_CHAR | LANDLOCK_ACCESS_FS_MAKE_DIR | LANDLOCK_ACCESS_FS_MAKE_REG |
      LANDLOCK_ACCESS_FS_MAKE_SOCK | LANDLOCK_ACCESS_FS_MAKE_FIFO | LANDLOCK_ACCESS_FS_MAKE_BLOCK |
      LANDLOCK_ACCESS_FS_MAKE_SYM;
  const int rules = static_cast<int>(syscall(SYS_landlock_create_ruleset, &all, sizeof all, 0));
  if (rules < 0) return;
  syscall(SYS_landlock_restrict_self, rules, 0);
  close(rules);
}

}  // namespace

bool drop_files() {
  const bool is_there = fcntl(serve_filter, F_GETFD) >= 0;
  if (is_there && !(filter.read(serve_filter) && close(serve_filter) == 0)) return false;
  prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
  leave_all_files();
  return true;
}

bool drop_system_calls() { return !filter.is_there() || filter.take(); }

int try_to_drop_privileges() {
  if (!drop_files()) return 3;
  const pid_t child = fork();
  if (child == 0) _exit(drop_system_calls() ? 0 : 1);
  int status = 0;
  if (child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status) &&
      WEXITSTATUS(status) == 0)
    return 0;
  std::fputs(
      "histolab-worker: cannot make a child, or that cannot take its filter of system calls\n",
      stderr);
  return 1;
}

}  // namespace histolab::kernels::worker

#include "kernels/worker/processes/dropping_privileges.h"

#include <fcntl.h>
#include <linux/landlock.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>

#include "kernels/worker/processes/call_filter.h"
#include "kernels/worker/processes/server.h"

namespace histolab::kernels::worker {
namespace {

// Read before any untrusted input arrives.
CallFilter running, loading;
bool keeps_processes_yet = false;

bool take(CallFilter& filter) { return !filter.is_there() || filter.take(); }

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
  const auto read = [](CallFilter& filter, int descriptor) {
    return fcntl(descriptor, F_GETFD) < 0 || (filter.read(descriptor) && close(descriptor) == 0);
  };
  if (!read(running, serve_filter) || !read(loading, serve_loading_filter)) return false;
  prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
  leave_all_files();
  return true;
}

bool drop_system_calls(bool keeps_processes) {
  keeps_processes_yet = keeps_processes;
  return take(keeps_processes ? loading : running);
}

void drop_processes() {
  if (!keeps_processes_yet) return;
  keeps_processes_yet = false;
  if (!take(running)) _exit(not_begun);
}

int try_to_drop_privileges() {
  if (!drop_files()) return 3;
  const pid_t child = fork();
  if (child == 0) _exit(drop_system_calls(true) && (drop_processes(), true) ? 0 : 1);
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

#include "kernels/worker/giving_up.h"

#include <linux/filter.h>
#include <linux/landlock.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

namespace histolab::kernels::worker {
namespace {

constexpr std::size_t most_instructions = 4096;  // BPF_MAXINSNS

sock_filter filter_code[most_instructions];
sock_fprog filter{0, filter_code};

bool read_filter() {
  struct stat about {};
  if (fstat(serve_filter, &about) != 0) return errno == EBADF;
  const ssize_t got = pread(serve_filter, filter_code, sizeof filter_code, 0);
  if (got <= 0 || got != about.st_size || static_cast<std::size_t>(got) % sizeof(sock_filter) != 0) return false;
  filter.len = static_cast<unsigned short>(static_cast<std::size_t>(got) / sizeof(sock_filter));
  close(serve_filter);
  return true;
}

void leave_all_files() {
  prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  landlock_ruleset_attr all{};
  all.handled_access_fs = LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR |
                          LANDLOCK_ACCESS_FS_REMOVE_DIR | LANDLOCK_ACCESS_FS_REMOVE_FILE | LANDLOCK_ACCESS_FS_MAKE_CHAR | LANDLOCK_ACCESS_FS_MAKE_DIR |
                          LANDLOCK_ACCESS_FS_MAKE_REG | LANDLOCK_ACCESS_FS_MAKE_SOCK | LANDLOCK_ACCESS_FS_MAKE_FIFO | LANDLOCK_ACCESS_FS_MAKE_BLOCK |
                          LANDLOCK_ACCESS_FS_MAKE_SYM;
  const int rules = static_cast<int>(syscall(SYS_landlock_create_ruleset, &all, sizeof all, 0));
  if (rules < 0) return;
  syscall(SYS_landlock_restrict_self, rules, 0);
  close(rules);
}

}  // namespace

bool give_up_files() {
  if (!read_filter()) return false;
  prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
  leave_all_files();
  return true;
}

bool give_up_system_calls() { return filter.len == 0 || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter, 0, 0) == 0; }

int try_to_give_up() {
  if (!give_up_files()) return 3;
  const pid_t child = fork();
  if (child == 0) _exit(give_up_system_calls() ? 0 : 1);
  int status = 0;
  if (child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0) return 0;
  std::fprintf(stderr, "histolab-worker: cannot make a child and take its filter of system calls: %s\n", std::strerror(errno));
  return 1;
}

}  // namespace histolab::kernels::worker

// Linked into every program of a build for coverage (HISTOLAB_COVERAGE), by the linker's --wrap:
// what a process counted goes to files at its end. So none may end without that, and none gives up
// its files.
#include <sys/resource.h>
#include <sys/syscall.h>

#include <cerrno>
#include <cstdarg>

extern "C" {

void __gcov_dump();
[[noreturn]] void __real__exit(int status);
long __real_syscall(long number, ...);

[[noreturn]] void __wrap__exit(int status) {
  __gcov_dump();
  __real__exit(status);
}

int __real_setrlimit(int what, const rlimit* limits);

int __wrap_setrlimit(int what, const rlimit* limits) {
  return what == RLIMIT_FSIZE ? 0 : __real_setrlimit(what, limits);
}

long __wrap_syscall(long number, ...) {
  va_list list;
  va_start(list, number);
  long word[6];
  for (long& each : word) each = va_arg(list, long);
  va_end(list);
  if (number == SYS_seccomp) return 0;
  if (number == SYS_landlock_create_ruleset) {
    errno = ENOSYS;
    return -1;
  }
  return __real_syscall(number, word[0], word[1], word[2], word[3], word[4], word[5]);
}
}

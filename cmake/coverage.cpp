// Linked into every program of a coverage build (HISTOLAB_COVERAGE) with the linker's --wrap. Each
// process writes its counts to files when it ends. So it must not end without writing them, and
// must not drop its right to write files.
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

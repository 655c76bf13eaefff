// The filters in force: a child installs one, and Linux decides on its calls. system_calls_test.cpp
// covers the verdicts on all calls.
#include <doctest/doctest.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "grader/sandbox/system_calls.h"
#include "kernels/worker/processes/call_filter.h"

namespace histolab::sandbox {
namespace {

TEST_CASE("filters of system calls can be made") {
  for (const Filter filter : {Filter::tools, Filter::driver, Filter::kernel, Filter::reading})
    for (const bool shares : {false, true}) {
      const auto program = filter_program(filter, {.shares_user = shares});
      REQUIRE(program);
      struct stat about {};
      REQUIRE_EQ(fstat(program->get(), &about), 0);
      CHECK_GT(about.st_size, 80);
      CHECK_EQ(about.st_size % 8, 0);
    }
}

using kernels::worker::CallFilter;

CallFilter read(Filter filter, bool shares_user) {
  const auto program = filter_program(filter, {.shares_user = shares_user});
  REQUIRE(program);
  CallFilter made;
  REQUIRE(made.read(program->get()));
  return made;
}

TEST_CASE(
    "the process that runs a student's code makes no process, sends no signal and maps no code") {
  for (const bool shares : {false, true}) {
    CallFilter filter = read(Filter::kernel, shares);
    void* const shared =
        mmap(nullptr, sizeof(int), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    REQUIRE(shared != MAP_FAILED);
    volatile int& asked = *static_cast<int*>(shared);
    const pid_t child = fork();
    if (child == 0) {
      const pid_t parent = getppid();
      if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 || !filter.take()) _exit(1);
      if (kill(parent, 0) == 0 || kill(-1, 0) == 0) _exit(2);
      if (syscall(SYS_clone, SIGCHLD, nullptr, nullptr, nullptr, nullptr) >= 0) _exit(3);
      if (syscall(SYS_open, "/etc/passwd", O_RDONLY) >= 0) _exit(4);
      asked = 1;
      mmap(nullptr, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
      _exit(5);
    }
    int status = 0;
    REQUIRE_EQ(waitpid(child, &status, 0), child);
    CAPTURE(status);
    CHECK_EQ(asked, 1);  // the last of these ends a process
    CHECK(WIFSIGNALED(status));
    CHECK_EQ(WTERMSIG(status), SIGSYS);
    munmap(shared, sizeof(int));
  }
}

}  // namespace
}  // namespace histolab::sandbox

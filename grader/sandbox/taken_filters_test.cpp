// The filters in force: a child installs one, and Linux decides on its calls. system_calls_test.cpp
// covers the verdicts on all calls.
#include <doctest/doctest.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>

#include "grader/sandbox/system_calls.h"
#include "kernels/worker/processes/call_filter.h"

namespace histolab::sandbox {
namespace {

TEST_CASE("filters of system calls can be made") {
  for (const Filter filter :
       {Filter::tools, Filter::driver, Filter::kernel, Filter::reading, Filter::front})
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

bool is_forbidden(long result) { return result < 0 && errno == EPERM; }

// Tries ways out, and returns the number of the first that the filter does not forbid, or 0.
// `target` is the address of a socket that listens.
int escape_of_front(int listening, int connected, const sockaddr_in& target) {
  const auto* address = reinterpret_cast<const sockaddr*>(&target);
  constexpr socklen_t size = sizeof target;
  if (!is_forbidden(syscall(SYS_open, "/etc/passwd", O_RDONLY))) return 1;
  if (!is_forbidden(syscall(SYS_openat, AT_FDCWD, "/etc/passwd", O_RDONLY))) return 2;
  if (!is_forbidden(socket(AF_INET, SOCK_STREAM, 0))) return 3;
  if (!is_forbidden(kill(getppid(), 0))) return 4;
  if (!is_forbidden(syscall(SYS_clone, SIGCHLD, nullptr, nullptr, nullptr, nullptr))) return 5;
  constexpr int code = PROT_READ | PROT_EXEC;
  if (mmap(nullptr, 4096, code, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) != MAP_FAILED) return 6;
  char* const nothing[] = {nullptr};
  if (!is_forbidden(execve("/bin/true", nothing, nothing))) return 7;
  if (!is_forbidden(fcntl(connected, F_SETOWN, getppid()))) return 8;
  if (!is_forbidden(syscall(SYS_memfd_create, "file", 0))) return 9;
  if (!is_forbidden(connect(connected, address, size))) return 10;
  // After this, the listening socket could be connected.
  if (shutdown(listening, SHUT_RDWR) != 0) return 11;
  if (!is_forbidden(connect(listening, address, size))) return 12;
  if (!is_forbidden(sendto(listening, "a", 1, MSG_FASTOPEN | MSG_NOSIGNAL, address, size)))
    return 13;
  sockaddr_in copy = target;
  iovec byte{&copy, 1};
  msghdr message{};
  message.msg_name = &copy;
  message.msg_namelen = size;
  message.msg_iov = &byte;
  message.msg_iovlen = 1;
  if (!is_forbidden(sendmsg(listening, &message, MSG_FASTOPEN | MSG_NOSIGNAL))) return 14;
  // The filter cannot see a message's address. Linux ignores it without a connection.
  if (sendmsg(listening, &message, MSG_NOSIGNAL) >= 0) return 15;
  const int yes = 1;
  if (!is_forbidden(setsockopt(listening, IPPROTO_TCP, TCP_FASTOPEN_CONNECT, &yes, sizeof yes)))
    return 16;
  return 0;
}

struct Listening {
  int descriptor = socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address{};

  Listening() {
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    auto* any = reinterpret_cast<sockaddr*>(&address);
    REQUIRE_EQ(bind(descriptor, any, size), 0);
    REQUIRE_EQ(listen(descriptor, 1), 0);
    REQUIRE_EQ(getsockname(descriptor, any, &size), 0);
  }
  ~Listening() { close(descriptor); }
  Listening(const Listening&) = delete;
  Listening& operator=(const Listening&) = delete;
};

TEST_CASE("the process that serves HTTP uses its sockets, and opens or connects nothing") {
  CallFilter filter = read(Filter::front, false);
  const Listening front, other;
  const int client = socket(AF_INET, SOCK_STREAM, 0);
  REQUIRE_EQ(
      connect(client, reinterpret_cast<const sockaddr*>(&front.address), sizeof front.address), 0);
  const pid_t child = fork();
  if (child == 0) {
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 || !filter.take()) _exit(100);
    const int connected = accept4(front.descriptor, nullptr, nullptr, SOCK_CLOEXEC);
    if (connected < 0 || send(connected, "a", 1, MSG_NOSIGNAL) != 1) _exit(101);
    _exit(escape_of_front(front.descriptor, connected, other.address));
  }
  char byte = 0;
  CHECK_EQ(recv(client, &byte, 1, 0), 1);
  int status = 0;
  REQUIRE_EQ(waitpid(child, &status, 0), child);
  CHECK(WIFEXITED(status));
  CHECK_EQ(WEXITSTATUS(status), 0);
  close(client);
}

}  // namespace
}  // namespace histolab::sandbox

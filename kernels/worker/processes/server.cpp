#include "kernels/worker/processes/server.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "kernels/worker/processes/process_limit.h"

namespace histolab::kernels::worker {
namespace {

constexpr int most_descriptors = 64;  // half of the server's open-file limit (process.cpp)
constexpr int first_descriptor = 3;   // number in the child of the first descriptor of an order
struct Received {
  Order order;
  int descriptors[most_descriptors];
  int count = 0;
};

// Returns false if the other side has closed the socket or sent an invalid message.
bool receive(Received& received) {
  alignas(cmsghdr) static char control[CMSG_SPACE(sizeof(int) * most_descriptors)];
  iovec data{&received.order, sizeof received.order};
  msghdr message{};
  message.msg_iov = &data;
  message.msg_iovlen = 1;
  message.msg_control = control;
  message.msg_controllen = sizeof control;
  ssize_t got;
  while ((got = recvmsg(serve_socket, &message, MSG_CMSG_CLOEXEC)) < 0 && errno == EINTR) {
  }
  received.count = 0;
  if (got != sizeof received.order || (message.msg_flags & (MSG_TRUNC | MSG_CTRUNC)) != 0)
    return false;
  for (cmsghdr* each = CMSG_FIRSTHDR(&message); each != nullptr;
       each = CMSG_NXTHDR(&message, each)) {
    if (each->cmsg_level != SOL_SOCKET || each->cmsg_type != SCM_RIGHTS) continue;
    received.count = static_cast<int>((each->cmsg_len - CMSG_LEN(0)) / sizeof(int));
    std::memcpy(received.descriptors, CMSG_DATA(each),
                static_cast<std::size_t>(received.count) * sizeof(int));
  }
  return received.count >= 2;
}

// Returns false if the child could not be set up; it must not continue then.
bool become(const Received& received, pid_t server, bool (*drop_privileges)()) {
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != server) return false;
  limit(RLIMIT_CPU, received.order.cpu_seconds, 1);  // SIGXCPU reports the reason
  limit(RLIMIT_DATA, received.order.data_bytes);
  // First move the descriptors out of the range of all target numbers, then onto their targets.
  int high[most_descriptors];
  for (int i = 0; i < received.count; ++i)
    if ((high[i] = fcntl(received.descriptors[i], F_DUPFD, most_descriptors)) < 0) return false;
  close_range(1, most_descriptors - 1, 0);
  for (int i = 0; i < received.count; ++i)
    if (dup2(high[i], i < 2 ? i + 1 : first_descriptor + i - 2) < 0) return false;
  close_range(most_descriptors, ~0u, 0);
  return drop_privileges();
}

void send(const Reply& reply) {
  if (write(serve_socket, &reply, sizeof reply) != sizeof reply) _exit(1);
}

// Waits until the child is dead. Ends the server if the client has closed the socket.
void attend(pid_t child) {
  const int process = static_cast<int>(syscall(SYS_pidfd_open, child, 0));
  while (process >= 0) {
    pollfd watched[2] = {{serve_socket, POLLIN, 0}, {process, POLLIN, 0}};
    if (poll(watched, 2, -1) < 0 && errno != EINTR) break;
    // Which ends the child; the client sends nothing before the reply.
    if (watched[0].revents != 0) _exit(0);
    if (watched[1].revents != 0) break;
  }
  // The child is reaped only after its group was killed: until then its number cannot be reused.
  siginfo_t ended{};
  while (waitid(P_PID, static_cast<id_t>(child), &ended, WEXITED | WNOWAIT) < 0 && errno == EINTR) {
  }
  if (process >= 0) close(process);
  kill(-child, SIGKILL);  // with all processes that it started
  Reply reply;
  rusage used{};
  while (wait4(child, &reply.status, 0, &used) < 0 && errno == EINTR) {
  }
  reply.processor_us = (used.ru_utime.tv_sec + used.ru_stime.tv_sec) * 1'000'000 +
                       used.ru_utime.tv_usec + used.ru_stime.tv_usec;
  int of_another = 0;
  while (waitpid(-child, &of_another, 0) > 0 || errno == EINTR) {
  }
  send(reply);
}

}  // namespace

void serve(bool (*drop_privileges)()) {
  prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
  static Received received;
  while (receive(received)) {
    const pid_t server = getpid(), child = fork();
    if (child == 0) {
      if (!become(received, server, drop_privileges)) _exit(not_begun);
      return;
    }
    for (int i = 0; i < received.count; ++i) close(received.descriptors[i]);
    if (child < 0) {
      send({errno, 0, 0});
      continue;
    }
    setpgid(child, child);  // in parent and child, so that the group exists before a kill
    attend(child);
  }
  _exit(0);
}

}  // namespace histolab::kernels::worker
